import { fakeSignals } from '../../support/fake-signals.ts';
import { expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { ComputedWait } from '../../../services/kernel/computed-waits.ts';
import { createComputedWatch } from '../../../services/workers/table-writer/watch-computed.ts';

function watchOver(...answers: readonly (readonly ComputedWait[] | Error)[]) {
  const seen: string[] = [];
  const rest = [...answers];
  const watch = createComputedWatch(1, {
    pause: () => new Promise((resolve) => { setImmediate(resolve); }),
    signals: fakeSignals({
      metric: (name, value, labels) => {
        seen.push([name, ...Object.values(labels), value].join(' '));
      },
    }),
    waits: {
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

it('reports how much of each computation waits, and for how long', async () => {
  const { watch, seen } = watchOver([{ table: 'device_days', waiting: 12, secondsMax: 500 }]);
  await watch.poll();
  expect(seen).toEqual([
    'rastro_sink_computed_waiting device_days 12',
    'rastro_sink_computed_waiting_seconds device_days 500',
  ]);
});

it('waits a store out that does not answer', async () => {
  const away = new Unavailable('sink_unavailable', 'receive', 'as the test asked');
  const { watch, seen } = watchOver(away, [{ table: 'w', waiting: 1, secondsMax: 1 }]);
  watch.start();
  await expect.poll(() => seen).toContain('rastro_sink_computed_waiting w 1');
  await watch.stop();
  expect(seen[0]).toBe('rastro_sink_faults_total sink_unavailable 1');
});
