import type { Clock, Pause } from '../../kernel/clock.ts';
import type { OffsetSeals } from '../../kernel/offset-seals.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { StreamLine } from '../../kernel/stream-line.ts';
import { createFactFeed, type FactFeed } from './facts/fact-feed.ts';
import type { ReadFactsPorts } from './facts/read-facts.ts';
import { createFollowLog, type FollowLogPorts } from './follow-log.ts';
import type { LiveLimits } from './limits.ts';
import { createFixFeed, type FixFeed } from './fixes/fix-feed.ts';

/** What the live feeds need from outside. */
export interface LivePorts
  extends Omit<FollowLogPorts, 'fixes' | 'facts' | 'signals' | 'clock'>,
  Pick<ReadFactsPorts, 'reader'> {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
  readonly seals: OffsetSeals;
}

/** Both live feeds, as operations are handed them. */
export interface LiveFeeds {
  readonly fixes: Pick<FixFeed, 'join'>;
  readonly facts: Pick<FactFeed, 'join'>;
  /** Ends a rest, and waits until the feeds have begun, or for `wakeMsMax`. */
  readonly wake: () => Promise<void>;
  /** Why another caller cannot be taken at the moment, if it cannot. */
  readonly refuses: (clientId: string) =>
    'not_ready' | 'leaving' | 'full' | 'client_full' | undefined;
  /** The same for a line on which nothing of the feeds will come. */
  readonly refusesLine: (clientId: string) => 'leaving' | 'full' | 'client_full' | undefined;
  /** Counts a line, and keeps it so that it ends with the process. Returns how to let it go. */
  readonly admit: (clientId: string, line: StreamLine) => () => void;
}

/** The live feeds of one process. */
export interface Live extends LiveFeeds {
  /** Follows the log and writes updates until it is closed; rejects only for a defect. */
  run(): Promise<void>;
  isReady(): boolean;
  /** Ends every stream, so that its caller goes on at another copy, and stops following. */
  close(): Promise<void>;
}

const WAKE_POLL_MS = 20;

/** Makes the live feeds; nothing is read before `run`. */
export function createLive(limits: LiveLimits, ports: LivePorts): Live {
  const { clock, signals, pause } = ports;
  const fixes = createFixFeed(limits, ports);
  const facts = createFactFeed(limits, ports);
  const followLog = createFollowLog(limits, { ...ports, fixes, facts });
  const left = new AbortController();
  const lines = new Set<StreamLine>();
  const byClient = new Map<string, number>();
  let running: Promise<unknown> = Promise.resolve();
  let wantedAtMs = clock.nowMs();

  async function updates(): Promise<void> {
    while (!left.signal.aborted) {
      const beganMs = clock.nowMs();
      signals.liveBehind({ seconds: followLog.takeBehindSeconds() });
      if (lines.size > 0 || !followLog.isFollowing()) wantedAtMs = beganMs;
      else if (beganMs - wantedAtMs > limits.restAfterMs) followLog.rest();
      fixes.tick();
      facts.tick();
      await pause(Math.max(1, limits.tickMs - (clock.nowMs() - beganMs)));
    }
  }

  function refusesLine(clientId: string): ReturnType<LiveFeeds['refusesLine']> {
    if (left.signal.aborted) return 'leaving';
    if (lines.size >= limits.viewersMax) return 'full';
    return (byClient.get(clientId) ?? 0) >= limits.clientViewersMax ? 'client_full' : undefined;
  }

  return {
    fixes, facts,
    run() {
      const work = Promise.all([followLog.run(left.signal), updates()]);
      running = work.catch(() => undefined);
      return work.then(() => undefined);
    },
    isReady: () => followLog.hasBegun(),
    async wake() {
      // Asked for until it is there: without a line the feeds may rest again before that is seen.
      const want = (): void => {
        wantedAtMs = clock.nowMs();
        followLog.wake();
      };
      want();
      const untilMs = wantedAtMs + limits.wakeMsMax;
      const mayBegin = (): boolean => !left.signal.aborted && followLog.hasBegun();
      while (mayBegin() && !followLog.isFollowing() && clock.nowMs() < untilMs) {
        await pause(WAKE_POLL_MS);
        want();
      }
    },
    refuses: (clientId) => !left.signal.aborted && !followLog.isFollowing()
      ? 'not_ready' : refusesLine(clientId),
    refusesLine,
    admit(clientId, line) {
      lines.add(line);
      byClient.set(clientId, (byClient.get(clientId) ?? 0) + 1);
      return () => {
        lines.delete(line);
        const others = (byClient.get(clientId) ?? 1) - 1;
        if (others === 0) byClient.delete(clientId);
        else byClient.set(clientId, others);
      };
    },
    async close() {
      left.abort();
      for (const line of lines) line.end();
      await running;
    },
  };
}
