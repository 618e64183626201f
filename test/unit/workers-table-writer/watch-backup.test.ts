import { expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { createBackupWatch } from '../../../services/workers/table-writer/watch-backup.ts';
import { fakeSignals } from '../../support/fake-signals.ts';

const NOW_MS = 1_800_000_000_000;

function watchOver(...answers: readonly (number | Error)[]) {
  const seen: string[] = [];
  const rest = [...answers];
  const watch = createBackupWatch({ pollMs: 1, ageSecondsMax: 129_600 }, {
    clock: { nowMs: () => NOW_MS },
    pause: () => new Promise((resolve) => { setImmediate(resolve); }),
    signals: fakeSignals({ metric: (name, value) => { seen.push(`${name} ${value}`); } }),
    newest: {
      async sinceMs() {
        const answer = rest.shift() ?? NOW_MS;
        if (answer instanceof Error) throw answer;
        return Promise.resolve(answer);
      },
    },
    onCrash: (error) => { seen.push(`crash ${String(error)}`); },
  });
  return { watch, seen };
}

it('reports how old the newest backup is, and how old it may be', async () => {
  const { watch, seen } = watchOver(NOW_MS - 90_000);
  await watch.poll();
  expect(seen).toEqual([
    'rastro_sink_backup_age_seconds 90', 'rastro_sink_backup_age_seconds_max 129600',
  ]);
});

it('waits a store out that does not answer, or whose tables are not back yet', async () => {
  const away = new Unavailable('sink_unavailable', 'receive', 'as the test asked');
  const { watch, seen } = watchOver(away, NOW_MS - 1_000);
  watch.start();
  await expect.poll(() => seen).toContain('rastro_sink_backup_age_seconds 1');
  await watch.stop();
  expect(seen[0]).toBe('rastro_sink_faults_total 1');
});
