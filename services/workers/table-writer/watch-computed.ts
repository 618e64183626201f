import type { ComputedWaitsReader } from '../../kernel/computed-waits.ts';
import { createGaugeWatch, type GaugeWatch, type GaugeWatchPorts } from './watch-gauges.ts';

/** How often it is asked what waits, in milliseconds: computing is every few minutes. */
export const COMPUTED_POLL_MS = 150_000;

/** Reports the days and periods that wait to be computed. */
export function createComputedWatch(
  pollMs: number, ports: GaugeWatchPorts & { readonly waits: ComputedWaitsReader },
): GaugeWatch {
  const { waits, signals } = ports;
  return createGaugeWatch(pollMs, async () => {
    for (const { table, waiting, secondsMax } of await waits.read()) {
      signals.computedWaitsRead({ table, waiting, seconds_max: secondsMax });
    }
  }, ports);
}
