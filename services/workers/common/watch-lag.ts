import type { Clock } from '../../kernel/clock.ts';
import { lagByTopic } from '../../kernel/lag.ts';
import type { LogWatch } from '../../kernel/log-watch.ts';
import type { Signals } from '../../kernel/signals.ts';
import { repeatPoll, type RepeatedPoll, type RepeatPorts } from './repeat-poll.ts';

/** How often lag is looked at unless it is said otherwise, in milliseconds. */
export const LAG_POLL_MS = 15_000;

/** Whose lag is watched, and how often. */
export interface LagWatchConfig {
  /** How often it looks, in milliseconds. */
  readonly pollMs: number;
  /** The groups of this process with the topics that they read. */
  readonly groups: readonly { readonly group: string; readonly topics: readonly string[] }[];
}

/** What the watch works with. */
export interface LagWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly watch: Pick<LogWatch, 'offsets' | 'firstSince'>;
  readonly clock: Clock;
  readonly signals: Signals;
}

/** The running watch. */
export interface LagWatch extends RepeatedPoll {
  /** Looks once and sets the gauges. */
  readonly poll: () => Promise<void>;
}

/**
 * Reports the lag of the groups of this process: what is not committed is not applied. Each
 * member reads all partitions of its group, so that an unassigned one shows too; take the maximum
 * over processes. While the log does not answer the gauges stay, and the metric of failed polls
 * rises.
 */
export function createLagWatch(config: LagWatchConfig, ports: LagWatchPorts): LagWatch {
  const { watch, clock, signals } = ports;

  async function poll(): Promise<void> {
    for (const { group, topics } of config.groups) {
      const offsets = await watch.offsets(group, topics);
      for (const { topic, records, seconds } of await lagByTopic(watch, offsets, clock.nowMs())) {
        signals.lagRead({ group, topic, records, seconds });
      }
    }
    signals.lagPolled({ code: 'none' });
  }

  return {
    poll,
    ...repeatPoll(config.pollMs, poll, {
      ...ports,
      onFault: (code) => { signals.lagPolled({ code }); },
    }),
  };
}
