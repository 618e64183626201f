import type { CommitOffset } from '../../../kernel/record-log.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { backoffMs, pause } from '../backoff.ts';
import { reasonOf, reasonsOf } from '../errors.ts';
import { TopicRecreated } from './start-offsets.ts';

/** What committing needs; `send` is one try. */
export interface CommitPorts {
  readonly send: (offsets: readonly CommitOffset[]) => Promise<unknown>;
  readonly signals: Signals;
  readonly random: () => number;
}

/** Limits of commits, in milliseconds. */
export interface CommitLimits {
  readonly group: string;
  readonly heartbeatMs: number;
  readonly backoffMsMin: number;
}

/** The commits of one member of a group. */
export interface Commits {
  /** Begins an assignment at its offsets; `left` ends it. */
  begin(offsets: readonly CommitOffset[], left: AbortSignal): void;
  /**
   * Rejects when the assignment is not ours any more, or ends in doubt; waits while the broker is
   * only away.
   */
  commit(offsets: readonly CommitOffset[]): Promise<void>;
  /**
   * Says whether a broker does not know a topic of ours. As long as it does not, nothing is
   * committed: the topic may be recreated, and the position would mean other records there.
   */
  doubt(isInDoubt: boolean): void;
  /** Stays a member until the work is done, or until the group has given us up. */
  stayWhile(work: Promise<unknown>): Promise<void>;
}

/** With these the group has gone on without us: the records come to their next owner. */
const GONE: readonly string[] = [
  'UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'FENCED_INSTANCE_ID', 'REBALANCE_IN_PROGRESS',
];
const GONE_ATTEMPTS_MAX = 3;
const BACKOFF_MS_MAX = 1_000;

/**
 * Makes the commits of a member. A coordinator that loads or is away answers later: a position that
 * is given up would stand as lag until the partition has its next record, maybe forever.
 */
export function createCommits(limits: CommitLimits, ports: CommitPorts): Commits {
  const { group, heartbeatMs, backoffMsMin } = limits;
  let assignment = new AbortController().signal;
  let isInDoubt = false;
  /** A position that is true as long as nothing further is committed. */
  let known: CommitOffset | undefined;
  let beat: Promise<unknown> = Promise.resolve();

  async function commit(offsets: readonly CommitOffset[]): Promise<void> {
    known = undefined;
    await beat;
    for (let attempt = 1; ; attempt += 1) {
      while (isInDoubt && !assignment.aborted) await pause(backoffMsMin, assignment);
      if (isInDoubt) throw new TopicRecreated('A topic was not known when its assignment ended.');
      try {
        await ports.send(offsets);
        known = offsets[0];
        return;
      } catch (error) {
        const isGone = reasonsOf(error).some((reason) => GONE.includes(reason));
        if (assignment.aborted || (isGone && attempt >= GONE_ATTEMPTS_MAX)) throw error;
        if (attempt === 1) {
          ports.signals.commitRetried({ group, reason: reasonOf(error) });
        }
      }
      await pause(backoffMs(attempt, backoffMsMin, BACKOFF_MS_MAX, ports.random()), assignment);
    }
  }

  return {
    begin(offsets, left) {
      assignment = left;
      known = offsets[0];
      isInDoubt = false;
    },

    commit,

    doubt(isNow) {
      isInDoubt = isNow;
    },

    /** The library sends no heartbeat while it joins; a commit counts as one. */
    async stayWhile(work) {
      const timer = setInterval(() => {
        if (known === undefined || isInDoubt) return;
        // The commit of the work itself shows that the group has gone on.
        beat = ports.send([known]).catch(() => undefined);
      }, heartbeatMs);
      try {
        await work;
      } finally {
        clearInterval(timer);
        await beat;
      }
    },
  };
}
