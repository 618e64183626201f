import type { Scenario } from '../../faults/scenario.ts';
import { alarms } from './alarms.ts';
import { deploy, rollback } from './deploy.ts';
import { restore } from './restore.ts';
import { runbooks } from './runbooks.ts';
import { scale } from './scale.ts';
import { schemas } from './schemas.ts';
import { secrets } from './secrets.ts';
import { tablesLost } from './tables-lost.ts';
import { vault } from './vault.ts';

/** Every act, in the order in which they are played; `commit` is the earlier release. */
export function actsOf(commit: string): readonly Scenario[] {
  return [
    deploy(commit), rollback(commit), schemas, scale, secrets, vault, restore, tablesLost, runbooks,
    alarms,
  ];
}
