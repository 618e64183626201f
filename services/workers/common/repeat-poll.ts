import type { Pause } from '../../kernel/clock.ts';
import type { Code } from '../../kernel/codes.ts';
import { isUnavailable, type Unavailable } from '../../kernel/unavailable.ts';

/** What repeated polling needs. */
export interface RepeatPorts {
  readonly pause: Pause;
  /** Called for a poll that failed and may succeed later. */
  readonly onFault: (code: Code, stage: Unavailable['stage']) => void;
  /**
   * Called once with an error that is not `Unavailable`: a defect, after which the process must
   * end.
   */
  readonly onCrash: (error: unknown) => void;
}

/** A poll that is repeated until it is stopped. */
export interface RepeatedPoll {
  readonly start: () => void;
  /** Polls no more; resolves when the current poll has ended. */
  readonly stop: () => Promise<void>;
}

/** Makes a poll that comes again `pollMs` milliseconds after the one before has ended. */
export function repeatPoll(
  pollMs: number, poll: () => Promise<void>, { pause, onFault, onCrash }: RepeatPorts,
): RepeatedPoll {
  let isStopping = false;
  let stopNow = (): void => {};
  let running: Promise<void> = Promise.resolve();

  /**
   * A promise of its own for each wait: a race with one for the whole life of the process would
   * leave a reaction behind on it each time.
   */
  function rest(): Promise<void> {
    return new Promise((resolve, reject) => {
      stopNow = resolve;
      if (isStopping) resolve();
      else pause(pollMs).then(resolve, reject);
    });
  }

  async function pollUntilStopped(): Promise<void> {
    while (!isStopping) {
      try {
        await poll();
      } catch (error) {
        if (!isUnavailable(error) || !error.retryable) {
          onCrash(error);
          return;
        }
        onFault(error.code, error.stage);
      }
      await rest();
    }
  }

  return {
    start() { running = pollUntilStopped(); },
    async stop() {
      isStopping = true;
      stopNow();
      await running;
    },
  };
}
