import type { Clock, Pause } from '../kernel/clock.ts';
import { retryAfterMs } from '../kernel/retry-after.ts';
import { createPace, type PaceConfig } from './pace.ts';
import { RunStopped } from './run-ends.ts';
import type { KitReply, Talk } from './talk.ts';

/** How long the kit waits for a counterpart. */
export interface PatienceConfig extends PaceConfig {
  /** For all checks together. */
  readonly deadlineSeconds: number;
}

/** What patience needs from outside. */
export interface PatiencePorts {
  readonly talk: Talk;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Takes a sentence about each wait of several seconds, before it. */
  readonly print?: ((sentence: string) => void) | undefined;
}

/** What a run waited, and why. */
export interface Waits {
  /** Answers of 429. */
  readonly throttled: number;
  /** Answers of 500 or 503 after which the same was sent again. */
  readonly repeated: number;
  readonly waitedMs: number;
}

/** A talk that respects limits, and how much it waited so far. */
export interface PatientTalk {
  readonly talk: Talk;
  readonly waits: () => Waits;
}

/** Thrown where a wait would end after the deadline of the run: nothing more is examined. */
export class OutOfTime extends RunStopped {}

/** Interface, Limits: five minutes after a 429; here of one that names no time. */
const THROTTLED_MS = 300_000;
const FAULT_MS = 1_000;
/** A counterpart that has an error of its own each time is answered by a failed check. */
const REPEATS_MAX = 3;
const PRINTED_MS_MIN = 5_000;

/**
 * Sends as the contract asks of a client: below the limits, after a 429 as late as `Retry-After`
 * says, after a 500 again. A second answer of 429 is waited out too, until the deadline.
 */
export function createPatientTalk(config: PatienceConfig, ports: PatiencePorts): PatientTalk {
  const { talk, clock, pause, print } = ports;
  const endsAtMs = clock.nowMs() + config.deadlineSeconds * 1_000;
  const pace = createPace(config);
  const waits = { throttled: 0, repeated: 0, waitedMs: 0 };

  async function wait(milliseconds: number, why: string): Promise<void> {
    const text = `${why}: ${Math.ceil(milliseconds / 1_000)} s to wait`;
    if (clock.nowMs() + milliseconds > endsAtMs) {
      throw new OutOfTime(`${text}, beyond the deadline of ${config.deadlineSeconds} s`);
    }
    if (milliseconds >= PRINTED_MS_MIN) print?.(`${text}.`);
    await pause(milliseconds);
    waits.waitedMs += milliseconds;
  }

  /** How long to wait before the same is sent again; undefined where the answer is final. */
  function againInMs(reply: KitReply, repeats: number): number | undefined {
    const asked = retryAfterMs(reply.header('retry-after'), clock.nowMs());
    if (reply.status === 429) {
      waits.throttled += 1;
      return asked ?? THROTTLED_MS;
    }
    if ((reply.status !== 500 && reply.status !== 503) || repeats === REPEATS_MAX) return undefined;
    waits.repeated += 1;
    return asked ?? FAULT_MS;
  }

  return {
    waits: () => ({ ...waits }),
    async talk(ask) {
      for (let repeats = 0; ; repeats += 1) {
        for (let ms = pace.waitMs(ask, clock.nowMs()); ms > 0;) {
          await wait(ms, `${ask.path} is near its limit`);
          ms = pace.waitMs(ask, clock.nowMs());
        }
        if (clock.nowMs() > endsAtMs) {
          throw new OutOfTime(`the deadline of ${config.deadlineSeconds} s is over`);
        }
        const reply = await talk(ask);
        pace.learn(reply, clock.nowMs());
        const ms = againInMs(reply, repeats);
        if (ms === undefined) return reply;
        await wait(ms, `${reply.what} answered ${reply.status}`);
      }
    },
  };
}
