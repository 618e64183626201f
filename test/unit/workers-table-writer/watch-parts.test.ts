import { fakeSignals } from '../../support/fake-signals.ts';
import { expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { TableParts } from '../../../services/kernel/table-parts.ts';
import { createPartsWatch } from '../../../services/workers/table-writer/watch-parts.ts';

function watchOver(...answers: readonly (readonly TableParts[] | Error)[]) {
  const seen: string[] = [];
  const rest = [...answers];
  const watch = createPartsWatch(1, {
    pause: () => new Promise((resolve) => { setImmediate(resolve); }),
    signals: fakeSignals({
      metric: (name, value, labels) => {
        seen.push([name, ...Object.values(labels), value].join(' '));
      },
    }),
    parts: {
      async read() {
        const answer = rest.shift() ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    onCrash: (error) => { seen.push(`crash ${String(error)}`); },
  });
  return { watch, seen };
}

it('reports the parts of each table, and the most of one partition', async () => {
  const { watch, seen } = watchOver([{ table: 'locations', parts: 12, partitionPartsMax: 5 }]);
  await watch.poll();
  expect(seen).toEqual([
    'rastro_sink_table_parts locations 12', 'rastro_sink_partition_parts_max locations 5',
  ]);
});

it('waits a store out that does not answer', async () => {
  const away = new Unavailable('sink_unavailable', 'receive', 'as the test asked');
  const { watch, seen } = watchOver(away, [{ table: 't', parts: 1, partitionPartsMax: 1 }]);
  watch.start();
  await expect.poll(() => seen).toContain('rastro_sink_table_parts t 1');
  await watch.stop();
  expect(seen[0]).toBe('rastro_sink_faults_total sink_unavailable 1');
});
