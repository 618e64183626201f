import type { LogReader } from '../../kernel/record-log.ts';
import type { Readiness } from '../../kernel/readiness.ts';
import type { ApplyRecords, Outcome } from '../common/outcomes.ts';
import { refusePoisonFlood, type PoisonFloodConfig } from '../common/poison-flood.ts';

/** Topics with what applies them; the same functions as in the projectors. */
export interface ReplaySource {
  readonly topics: readonly string[];
  readonly applyRecords: ApplyRecords;
}

/** Settings of a replay. */
export interface ReplayConfig extends PoisonFloodConfig {
  /** Life of the right to rebuild; a process that died blocks others for so long. */
  readonly leaseMs: number;
  /** How often the right is renewed, and so how soon a wipe in between is noticed. */
  readonly renewMs: number;
}

/** What a replay works with. */
export interface LogReplayPorts {
  readonly readiness: Readiness;
  readonly reader: LogReader;
  /** Name of this process as holder of the right. */
  readonly owner: string;
  /** True when the process is going away. */
  readonly isStopping: () => boolean;
}

/** How a replay ended: everything applied, not ours to do, or broken off and to be begun again. */
export type LogReplayEnd = 'replayed' | 'held_by_other' | 'broken_off';

/** Most outcomes of which the ratio of poisoned records is taken; more would change nothing. */
const SEEN_MAX = 10_000;

class BrokenOff extends Error {}

/**
 * Applies whole topics from their first record to the end that they had at the beginning, while
 * holding the right to rebuild. Records that cannot be read are left out: their projector
 * writes dead letters. Rejects with an Unavailable of the log or the store, and when too much is
 * unreadable.
 */
export async function replay(
  config: ReplayConfig, ports: LogReplayPorts, sources: readonly ReplaySource[],
): Promise<LogReplayEnd> {
  const { readiness, reader, owner } = ports;
  if (!await readiness.claimRebuild(owner, config.leaseMs)) return 'held_by_other';
  const right = keepRight(config, ports);
  const seen: Outcome[] = [];
  try {
    for (const { topics, applyRecords } of sources) {
      await reader.readToEnd(topics, async (records) => {
        if (right.isLost() || ports.isStopping()) throw new BrokenOff();
        const outcomes = await applyRecords(records);
        if (seen.length < SEEN_MAX) seen.push(...outcomes);
      });
    }
    refusePoisonFlood(config, seen);
    return right.isLost() ? 'broken_off' : 'replayed';
  } catch (error) {
    if (error instanceof BrokenOff) return 'broken_off';
    throw error;
  } finally {
    right.end();
  }
}

interface KeptRight {
  readonly isLost: () => boolean;
  readonly end: () => void;
}

/**
 * Renews the right at intervals, also while the log is slow. A renewal that fails says nothing; one
 * that is refused means that the store was wiped or the right passed on: then all work is lost.
 */
function keepRight(config: ReplayConfig, { readiness, owner }: LogReplayPorts): KeptRight {
  let isLost = false;
  const timer = setInterval(() => {
    readiness.renewRebuild(owner, config.leaseMs).then(
      (isHeld) => { if (!isHeld) isLost = true; },
      () => undefined,
    );
  }, config.renewMs);
  return { isLost: () => isLost, end: () => clearInterval(timer) };
}
