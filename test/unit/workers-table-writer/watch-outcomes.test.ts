import { fakeSignals } from '../../support/fake-signals.ts';
import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { Unexplained } from '../../../services/kernel/ingest.ts';
import { createOutcomeWatch, OUTCOME_WATCH_LIMITS }
  from '../../../services/workers/table-writer/watch-outcomes.ts';

const NOW_MS = 1_764_000_000_000;

/** A watch over answers that are given one after the other; it ends with the last of them. */
function watchOver(...answers: readonly (Unexplained | Error)[]) {
  const asked: (readonly [number, number])[] = [];
  const seen: string[] = [];
  const crashes: unknown[] = [];
  const rest = [...answers];
  const watch = createOutcomeWatch(OUTCOME_WATCH_LIMITS, {
    clock: { nowMs: () => NOW_MS },
    pause: async () => { if (rest.length === 0) void watch.stop(); },
    signals: fakeSignals({
      line: (level, event) => { seen.push(`${level} ${event}`); },
      metric: (name, value, { code }) => { seen.push(`${name} ${code ?? value}`); },
    }),
    audit: {
      async unexplained(sinceMs, untilMs) {
        asked.push([sinceMs, untilMs]);
        const answer = rest.shift() ?? { items: 0, unreadRecords: 0 };
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
    onCrash: (error) => { crashes.push(error); },
  });
  return { watch, asked, seen, crashes };
}

describe('the watch over item outcomes', () => {
  it('[GEN-07] reads the last hour but its last minute, and says what is unexplained', async () => {
    const { watch, asked, seen } = watchOver({ items: 3, unreadRecords: 2 });
    await watch.poll();
    expect(asked).toEqual([[NOW_MS - 3_600_000, NOW_MS - 60_000]]);
    expect(seen).toEqual([
      'rastro_ingest_unexplained_items 3', 'rastro_ingest_unread_records 2',
      'rastro_ingest_checks_total none', 'error items_unexplained',
    ]);
  });

  it('stays silent in health', async () => {
    const { watch, seen } = watchOver({ items: 0, unreadRecords: 0 });
    await watch.poll();
    expect(seen).not.toContain('error items_unexplained');
  });

  it('waits a store out that does not answer, and leaves the gauges as they are', async () => {
    const away = new Unavailable('sink_unavailable', 'receive', 'as the test asked');
    const { watch, seen, crashes } = watchOver(away, { items: 0, unreadRecords: 0 });
    watch.start();
    await expect.poll(() => seen.length).toBeGreaterThan(3);
    await watch.stop();
    expect(seen.slice(0, 2)).toEqual([
      'rastro_ingest_checks_total sink_unavailable', 'rastro_ingest_unexplained_items 0',
    ]);
    expect(crashes).toEqual([]);
  });

  it('ends the process over a defect', async () => {
    const defect = new TypeError('as the test asked');
    const { watch, crashes } = watchOver(defect);
    watch.start();
    await expect.poll(() => crashes).toEqual([defect]);
    await watch.stop();
  });
});
