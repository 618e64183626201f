import { fakeSignals } from '../../support/fake-signals.ts';
import { expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { ComputedWait } from '../../../services/kernel/computed-waits.ts';
import type { TableParts } from '../../../services/kernel/table-parts.ts';
import { createComputedWatch } from '../../../services/workers/table-writer/watch-computed.ts';
import type { GaugeWatchPorts } from '../../../services/workers/table-writer/watch-gauges.ts';
import { createPartsWatch } from '../../../services/workers/table-writer/watch-parts.ts';

/** What a watch is given, and what it reported. */
function watched() {
  const seen: string[] = [];
  const ports: GaugeWatchPorts = {
    pause: () => new Promise((resolve) => { setImmediate(resolve); }),
    signals: fakeSignals({
      metric: (name, value, labels) => {
        seen.push([name, ...Object.values(labels), value].join(' '));
      },
    }),
    onCrash: (error) => { seen.push(`crash ${String(error)}`); },
  };
  return { seen, ports };
}

/** Gives these answers one after the other, and then nothing. */
function reading<Row>(...answers: readonly (readonly Row[] | Error)[]) {
  const rest = [...answers];
  return {
    async read(): Promise<readonly Row[]> {
      const answer = rest.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

it('reports the parts of each table, and the most of one partition', async () => {
  const { seen, ports } = watched();
  const parts = reading<TableParts>([{ table: 'locations', parts: 12, partitionPartsMax: 5 }]);
  await createPartsWatch(1, { ...ports, parts }).poll();
  expect(seen).toEqual([
    'rastro_sink_table_parts locations 12', 'rastro_sink_partition_parts_max locations 5',
  ]);
});

it('reports how much of each computation waits, and for how long', async () => {
  const { seen, ports } = watched();
  const waits = reading<ComputedWait>([{ table: 'device_days', waiting: 12, secondsMax: 500 }]);
  await createComputedWatch(1, { ...ports, waits }).poll();
  expect(seen).toEqual([
    'rastro_sink_computed_waiting device_days 12',
    'rastro_sink_computed_waiting_seconds device_days 500',
  ]);
});

it('waits a store out that does not answer', async () => {
  const { seen, ports } = watched();
  const away = new Unavailable('sink_unavailable', 'receive', 'as the test asked');
  const parts = reading<TableParts>(away, [{ table: 't', parts: 1, partitionPartsMax: 1 }]);
  const watch = createPartsWatch(1, { ...ports, parts });
  watch.start();
  await expect.poll(() => seen).toContain('rastro_sink_table_parts t 1');
  await watch.stop();
  expect(seen[0]).toBe('rastro_sink_faults_total sink_unavailable 1');
});
