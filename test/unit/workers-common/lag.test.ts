import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { lagByTopic } from '../../../services/kernel/lag.ts';
import { createLagWatch } from '../../../services/workers/common/watch-lag.ts';
import { fakeLogWatch } from '../../support/fake-log-watch.ts';
import { fakeSignals } from '../../support/fake-signals.ts';
import { describeLogWatch } from '../../support/log-watch.suite.ts';

const NOW_MS = 1_800_000_000_000;

describeLogWatch('in memory', async () => {
  const watch = fakeLogWatch();
  watch.append('t', 0, []);
  return {
    watch,
    topic: 't',
    append: async (records) => {
      watch.append('t', 0, Array.from({ length: records }, () => Date.now()));
    },
    commit: async (group, next) => { watch.commit(group, 't', 0, next); },
    close: async () => undefined,
  };
});

describe('lag', () => {
  it.each([1, 2, 3, 59, 60, 61, 86_399, 1_000_000])(
    'of a record that is %i s old is that, to the second', async (ageS) => {
      const watch = fakeLogWatch();
      watch.append('t', 0, [NOW_MS - ageS * 1_000]);
      const lags = await lagByTopic(watch, await watch.offsets('g', ['t']), NOW_MS);
      expect(lags).toMatchObject([{ records: 1, seconds: ageS }]);
    },
  );

  it('is the oldest of all partitions, and the records of all of them', async () => {
    const watch = fakeLogWatch();
    watch.append('t', 0, [NOW_MS - 5_000, NOW_MS - 4_000]);
    watch.append('t', 1, [NOW_MS - 900_000, NOW_MS - 70_000]);
    watch.commit('g', 't', 1, 1n);
    const lags = await lagByTopic(watch, await watch.offsets('g', ['t']), NOW_MS);
    expect(lags).toEqual([{ topic: 't', partitions: 2, records: 3, seconds: 70 }]);
  });

  it('asks the log once more, not again and again, of a group that keeps up', async () => {
    const watch = fakeLogWatch();
    watch.append('t', 0, [NOW_MS - 500]);
    let asked = 0;
    await lagByTopic({
      firstSince: (offsets, sinceMs) => {
        asked += 1;
        return watch.firstSince(offsets, sinceMs);
      },
    }, await watch.offsets('g', ['t']), NOW_MS);
    expect(asked).toBe(1);
  });
});

/** A watch over one group of two topics, and what it said. */
function setUp() {
  const log = fakeLogWatch();
  const seen: string[] = [];
  const crashes: unknown[] = [];
  let failures: Error[] = [];
  const watch = createLagWatch(
    { pollMs: 1, groups: [{ group: 'rastro.g', topics: ['t', 'u'] }] },
    {
      watch: {
        firstSince: log.firstSince,
        offsets: (group, topics) => {
          const failure = failures.shift();
          return failure === undefined ? log.offsets(group, topics) : Promise.reject(failure);
        },
      },
      clock: { nowMs: () => NOW_MS },
      pause: () => new Promise((resolve) => { setImmediate(resolve); }),
      signals: fakeSignals({
        metric: (name, value, labels, kind) => {
          const values = kind === 'counter' ? [] : [value];
          seen.push([name, ...Object.values(labels), ...values].join(' '));
        },
      }),
      onCrash: (error) => { crashes.push(error); },
    },
  );
  return { log, watch, seen, crashes, failWith: (...errors: Error[]) => { failures = errors; } };
}

describe('the watch over lag', () => {
  it('sets the gauges of each topic, also of one in which nothing is committed', async () => {
    const { log, watch, seen } = setUp();
    log.append('t', 0, [NOW_MS - 30_000, NOW_MS]);
    log.append('u', 0, [NOW_MS - 10_000]);
    log.commit('rastro.g', 't', 0, 2n);
    await watch.poll();
    expect(seen).toEqual([
      'rastro_worker_lag_records rastro.g t 0', 'rastro_worker_lag_seconds rastro.g t 0',
      'rastro_worker_lag_records rastro.g u 1', 'rastro_worker_lag_seconds rastro.g u 10',
      'rastro_worker_lag_looks_total none',
    ]);
  });

  it('waits a log out that does not answer, and counts the look that failed', async () => {
    const { watch, seen, crashes, failWith } = setUp();
    failWith(new Unavailable('log_unavailable', 'receive', 'as the test asked'));
    watch.start();
    await expect.poll(() => seen).toContain('rastro_worker_lag_looks_total none');
    await watch.stop();
    expect(seen[0]).toBe('rastro_worker_lag_looks_total log_unavailable');
    expect(crashes).toEqual([]);
  });

  it('ends the process at a defect', async () => {
    const { watch, crashes, failWith } = setUp();
    const defect = new TypeError('as the test asked');
    failWith(defect);
    watch.start();
    await expect.poll(() => crashes).toEqual([defect]);
    await watch.stop();
  });
});
