import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { createKeyRing } from '../../../services/adapters/secrets/key-ring.ts';
import { personCommand } from '../../../services/cli/person/command.ts';
import type { ProcessName } from '../../faults/cluster/cluster-processes.ts';
import type { FaultEnv } from '../../faults/scenario.ts';
import { restartAs, step } from '../steps.ts';
import { untilLevel } from './level.ts';

/** Who seals or opens personal data. */
const HOLDERS: readonly ProcessName[] = ['gateway-1', 'gateway-2', 'workers-1', 'workers-2'];

/**
 * Every process learns the new key before anyone wraps with it: a gateway that does not know it
 * could not open what another one has just wrapped. Then it comes first, everything is wrapped
 * again, and the old one goes.
 */
export async function rotatePersonalKey(faultEnv: FaultEnv, key: string): Promise<void> {
  const { cluster, mustNotLeak } = faultEnv;
  mustNotLeak(key);
  const old = `k1:${cluster.secrets.vaultKey}`;
  const fresh = `k2:${key}`;
  await eachHolds(faultEnv, 'personal data: every process knows the new key', `${old},${fresh}`);
  await eachHolds(faultEnv, 'personal data: the new key comes first', `${fresh},${old}`);
  await step(faultEnv, 'personal data: every key is wrapped by the new one', async () => {
    const keyRing = createKeyRing(`${fresh},${old}`);
    const report = await personCommand({ ...cluster.operator, keyRing }, ['rewrap']);
    if (report.exitCode !== 0) throw new Error(report.lines.join(' '));
    faultEnv.remark(`personal data: ${report.lines.join(' ')}`);
    await untilLevel(cluster, 'rastro.projector.personal', TOPICS.personalKeys.name);
  });
  await eachHolds(faultEnv, 'personal data: the old key is gone', fresh);
}

async function eachHolds(faultEnv: FaultEnv, what: string, ring: string): Promise<void> {
  await step(faultEnv, what, async () => {
    for (const name of HOLDERS) {
      await restartAs(faultEnv.cluster, name, { env: { RASTRO_PERSONAL_KEY: ring } });
    }
  });
}
