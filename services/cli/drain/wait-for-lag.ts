import type { Clock, Pause } from '../../kernel/clock.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';

/** Records that a group has not committed. */
export interface GroupLag {
  readonly group: string;
  readonly records: number;
}

const POLL_MS = 1_000;

/**
 * Waits until no group whose name begins with `prefix` has more than `recordsMax` records before
 * it, or until `deadlineMs`; answers where they are then, the furthest behind first.
 */
export async function waitForLag(
  { watch, clock, pause }: {
    readonly watch: Pick<LogWatch, 'groups' | 'offsets'>;
    readonly clock: Clock;
    readonly pause: Pause;
  },
  prefix: string, recordsMax: number, deadlineMs: number,
): Promise<readonly GroupLag[]> {
  for (;;) {
    const lags: GroupLag[] = [];
    for (const group of await watch.groups(prefix)) {
      const offsets = await watch.offsets(group);
      const records = offsets.reduce((sum, { next, end }) => sum + Number(end - next), 0);
      lags.push({ group, records });
    }
    if (lags.every(({ records }) => records <= recordsMax) || clock.nowMs() >= deadlineMs) {
      return lags.sort((a, b) => b.records - a.records || (a.group < b.group ? -1 : 1));
    }
    await pause(POLL_MS);
  }
}
