import type { ComputedWaitsReader } from '../../kernel/computed-waits.ts';
import type { Signals } from '../../kernel/signals.ts';
import { repeatPoll, type RepeatedPoll, type RepeatPorts } from '../common/repeat-poll.ts';

/** How often it is asked what waits, in milliseconds: computing is every five minutes. */
export const COMPUTED_POLL_MS = 150_000;

/** What the watch works with. */
export interface ComputedWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly waits: ComputedWaitsReader;
  readonly signals: Signals;
}

/** The running watch. */
export interface ComputedWatch extends RepeatedPoll {
  /** Looks once and sets the gauges. */
  readonly poll: () => Promise<void>;
}

/**
 * Reports the days and periods that wait to be computed. While the store does not answer the gauges
 * stay.
 */
export function createComputedWatch(pollMs: number, ports: ComputedWatchPorts): ComputedWatch {
  const { waits, signals } = ports;

  async function poll(): Promise<void> {
    for (const { table, waiting, secondsMax } of await waits.read()) {
      signals.computedWaitsRead({ table, waiting, seconds_max: secondsMax });
    }
  }

  return {
    poll,
    ...repeatPoll(pollMs, poll, {
      ...ports,
      onFault: (code) => { signals.sinkFailed({ code }); },
    }),
  };
}
