import { join } from 'node:path';
import type { ActFinding } from '../../containers/acts/act.ts';
import { ask } from '../../containers/machine/ask.ts';
import { accountOf } from './account.ts';
import type { ProductStage } from './place.ts';
import { podsOf, unexpectedStarts } from './pods.ts';
import { countedSince, startSender } from './sender.ts';

/** What an act does while devices drive. */
export interface Disturbance {
  readonly name: string;
  /** Does it, until all is well again; gives what there is to show and what is wrong. */
  readonly disturb: (stage: ProductStage) => Promise<ActFinding>;
  /** Whether Pods of this name may have started again. */
  readonly touches: (app: string) => boolean;
  /** True when no call may fail meanwhile. */
  readonly answersAll?: boolean;
}

const WAIT_ROWS = join(import.meta.dirname, '..', 'inside', 'wait-rows.ts');
const ROWS = 40;
const ROWS_MS_MAX = 600_000;

/** Lets devices drive, does something, and accounts for each item once they have stopped. */
export async function underLoad(
  stage: ProductStage, { name, disturb, touches, answersAll = false }: Disturbance,
): Promise<ActFinding> {
  const { namespaces, plane } = await stage.cluster();
  const { front, client, analyst } = stage.product();
  const pods = await podsOf(plane);
  const sinceMs = Date.now();
  const callsBefore = front.counts();
  const sender = startSender(namespaces, stage.folder, `${name}-${sinceMs}`, client);
  let did: ActFinding;
  try {
    await moreRows(stage);
    did = await disturb(stage);
    await moreRows(stage);
  } finally {
    await sender.end();
  }
  for (const spoil of stage.spoils) await spoil();
  const account = await accountOf(namespaces, { ledger: sender.ledger, user: analyst, sinceMs });
  const { calls, failed, complaints } = countedSince(callsBefore, front.counts());
  return {
    seen: `${did.seen}; ${account.seen}; ${failed} of ${calls} calls failed`,
    complaints: [
      ...did.complaints, ...account.complaints,
      ...(answersAll ? complaints : []),
      ...unexpectedStarts(pods, await podsOf(plane), touches),
    ],
  };
}

/** Resolves when the tables have locations that were not there before. */
export async function moreRows(stage: ProductStage, more = ROWS): Promise<number> {
  const { namespaces } = await stage.cluster();
  const { rows } = await ask<{ readonly rows: number }>(
    namespaces, WAIT_ROWS, { ...stage.product().analyst, more, deadlineMs: ROWS_MS_MAX },
    ROWS_MS_MAX + 30_000,
  );
  return rows;
}
