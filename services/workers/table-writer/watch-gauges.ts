import type { Signals } from '../../kernel/signals.ts';
import { repeatPoll, type RepeatedPoll, type RepeatPorts } from '../common/repeat-poll.ts';

/** What every watch over the tables works with. */
export interface GaugeWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly signals: Signals;
}

/** The running watch. */
export interface GaugeWatch extends RepeatedPoll {
  /** Looks once and sets the gauges. */
  readonly poll: () => Promise<void>;
}

/** Looks every `pollMs` milliseconds. While the store does not answer the gauges stay. */
export function createGaugeWatch(
  pollMs: number, poll: () => Promise<void>, ports: GaugeWatchPorts,
): GaugeWatch {
  return {
    poll,
    ...repeatPoll(pollMs, poll, {
      ...ports,
      onFault: (code) => { ports.signals.sinkFailed({ code }); },
    }),
  };
}
