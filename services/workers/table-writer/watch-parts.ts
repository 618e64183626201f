import type { TablePartsReader } from '../../kernel/table-parts.ts';
import { createGaugeWatch, type GaugeWatch, type GaugeWatchPorts } from './watch-gauges.ts';

/** How often parts are counted unless it is said otherwise, in milliseconds. */
export const PARTS_POLL_MS = 30_000;

/** Reports the parts of the tables. */
export function createPartsWatch(
  pollMs: number, ports: GaugeWatchPorts & { readonly parts: TablePartsReader },
): GaugeWatch {
  const { parts, signals } = ports;
  return createGaugeWatch(pollMs, async () => {
    for (const { table, parts: count, partitionPartsMax } of await parts.read()) {
      signals.tablePartsRead({ table, parts: count, partition_parts_max: partitionPartsMax });
    }
  }, ports);
}
