import type { Signals } from '../../kernel/signals.ts';
import type { TablePartsReader } from '../../kernel/table-parts.ts';
import { repeatLook, type RepeatedLook, type RepeatPorts } from '../common/repeat-look.ts';

/** How often parts are counted unless it is said otherwise, in milliseconds. */
export const PARTS_POLL_MS = 30_000;

/** What the watch works with. */
export interface PartsWatchPorts extends Omit<RepeatPorts, 'onFault'> {
  readonly parts: TablePartsReader;
  readonly signals: Signals;
}

/** The running watch. */
export interface PartsWatch extends RepeatedLook {
  /** Looks once and sets the gauges. */
  readonly look: () => Promise<void>;
}

/** Tells of how many parts the tables are. While the store does not answer the gauges stay. */
export function createPartsWatch(pollMs: number, ports: PartsWatchPorts): PartsWatch {
  const { parts, signals } = ports;

  async function look(): Promise<void> {
    for (const { table, parts: count, partitionPartsMax } of await parts.read()) {
      signals.tablePartsRead({ table, parts: count, partition_parts_max: partitionPartsMax });
    }
  }

  return {
    look,
    ...repeatLook(pollMs, look, {
      ...ports,
      onFault: (code) => { signals.sinkFailed({ code }); },
    }),
  };
}
