import type { Clock } from '../../kernel/clock.ts';
import type { TopicLag } from '../../kernel/lag.ts';
import type { GroupWatch, LogWatch } from '../../kernel/log-watch.ts';
import { readGroupLags, type LagOfGroup } from '../lag/read-lag.ts';

/** How far one worker is, over all of its processes. */
export interface WorkerFigures {
  readonly group: string;
  /** Its group without `rastro.`; one that fills a further replica has its name behind `@`. */
  readonly worker: string;
  /** Processes that read in its group now. */
  readonly members: number;
  /** Records that it has not committed, and the age of the oldest of them in seconds. */
  readonly records: number;
  readonly seconds: number;
  /** Records that it committed since the read before; undefined where there was none lately. */
  readonly recordsPerSecond: number | undefined;
  readonly topics: readonly TopicLag[];
}

/** What reading workers takes. */
export interface ReadWorkersPorts {
  readonly watch: LogWatch & GroupWatch;
  readonly clock: Clock;
}

const OURS = 'rastro.';
/** A rate over longer than this would not be one of now. */
const RATE_MS_MAX = 60_000;

interface Committed {
  readonly atMs: number;
  readonly byGroup: ReadonlyMap<string, bigint>;
}

/**
 * Reads the lag of every worker as `rastro lag` does, and who reads. Of the named groups it also
 * shows those that never had a member, by their name.
 */
export function createReadWorkers(
  groups: readonly string[], { watch, clock }: ReadWorkersPorts,
): () => Promise<readonly WorkerFigures[]> {
  let before: Committed | undefined;

  return async () => {
    const atMs = clock.nowMs();
    const members = new Map((await watch.members(OURS))
      .map((own) => [own.group, own.members.length] as const));
    const lags = new Map((await readGroupLags(watch, OURS, atMs))
      .map((own) => [own.group, own] as const));
    const names = new Set([...groups, ...members.keys(), ...lags.keys()]);
    const last = before;
    before = {
      atMs, byGroup: new Map([...lags].map(([group, { committed }]) => [group, committed])),
    };
    return [...names].toSorted().map((group) => {
      const lag = lags.get(group);
      const topics = lag?.topics ?? [];
      return {
        group, worker: group.slice(OURS.length), members: members.get(group) ?? 0,
        records: topics.reduce((sum, each) => sum + each.records, 0),
        seconds: topics.reduce((most, each) => Math.max(most, each.seconds), 0),
        recordsPerSecond: rateOf(lag, last, atMs), topics,
      };
    });
  };
}

/** A group whose offsets were set back has no rate. */
function rateOf(
  lag: LagOfGroup | undefined, last: Committed | undefined, atMs: number,
): number | undefined {
  const from = lag && last?.byGroup.get(lag.group);
  if (lag === undefined || last === undefined || from === undefined) return undefined;
  const ms = atMs - last.atMs;
  if (ms <= 0 || ms > RATE_MS_MAX || lag.committed < from) return undefined;
  return Number(lag.committed - from) / (ms / 1_000);
}
