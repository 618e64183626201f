import type { Signals } from '../../kernel/signals.ts';
import type { TablePartsReader } from '../../kernel/table-parts.ts';
import { repeatPoll, type RepeatedPoll, type RepeatPorts } from '../common/repeat-poll.ts';

/** How often parts are counted unless it is said otherwise, in milliseconds. */
export const PARTS_POLL_MS = 30_000;

/** What the watch works with. */
export interface PartsWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly parts: TablePartsReader;
  readonly signals: Signals;
}

/** The running watch. */
export interface PartsWatch extends RepeatedPoll {
  /** Looks once and sets the gauges. */
  readonly poll: () => Promise<void>;
}

/** Reports the parts of the tables. While the store does not answer the gauges stay. */
export function createPartsWatch(pollMs: number, ports: PartsWatchPorts): PartsWatch {
  const { parts, signals } = ports;

  async function poll(): Promise<void> {
    for (const { table, parts: count, partitionPartsMax } of await parts.read()) {
      signals.tablePartsRead({ table, parts: count, partition_parts_max: partitionPartsMax });
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
