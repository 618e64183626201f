import { describe, expect, it } from 'vitest';
import type { HistoryLine } from '../../faults/history.ts';
import {
  ANSWER_MIB_MAX, assess, calmP99Ms, mayBeChance, P99_MS_FREE, RSS_MIB_MAX, RSS_MIB_MAX_OF_PARTIES,
  SILENT_MS_MAX, STALE_MS_MAX, WEBHOOK_MS_MAX, type Observed,
} from '../../hostile/run/assess.ts';
import { seenIn } from '../../hostile/run/call-watch.ts';
import { againAfter, type OffenceRow } from '../../hostile/run/run-hostile.ts';

const GOOD: Observed = {
  calm: [{ calls: 300, unanswered: 0, p99Ms: 400 }, { calls: 300, unanswered: 0, p99Ms: 90 }],
  during: { calls: 500, unanswered: 5, p99Ms: 800 },
  processes: [{ name: 'gateway-1', endings: 0, rssMiBMax: RSS_MIB_MAX }],
  analyst: { failedQueries: 0, staleMsMax: STALE_MS_MAX },
  viewer: { silentMsMax: SILENT_MS_MAX, failedPictures: 0 },
  webhook: { waitedMsMax: WEBHOOK_MS_MAX, wrong: 0 },
  answerMiBTaken: ANSWER_MIB_MAX,
  isAnalyst: false, answers: { 202: 10, 429: 90, 'line ended': 3 }, hasOnly500: false,
};

function assessed(change: Partial<Observed>): readonly string[] {
  return assess({ ...GOOD, ...change });
}

describe('an offender', () => {
  it('does no harm when no honest caller notices it', () => {
    expect(assessed({})).toEqual([]);
  });

  it('may cost what calm spans beside it cost twice, and what is too little to assess', () => {
    expect(assessed({ during: { ...GOOD.during, p99Ms: 801 } }))
      .toEqual(['The honest p99 was 801 ms; allowed are 800.']);
    const calm = [{ calls: 300, unanswered: 0, p99Ms: 20 }];
    expect(assessed({ calm, during: { ...GOOD.during, p99Ms: P99_MS_FREE } })).toEqual([]);
    expect(assessed({ calm, during: { ...GOOD.during, p99Ms: P99_MS_FREE + 1 } })).toHaveLength(1);
  });

  it('is let in again when honest calls only waited, and when nothing else was wrong', () => {
    const late = { ...GOOD.during, p99Ms: 801 };
    expect(mayBeChance({ ...GOOD, during: late })).toBe(true);
    expect(mayBeChance(GOOD)).toBe(false);
    expect(mayBeChance({ ...GOOD, during: late, answers: {} })).toBe(false);
    expect(mayBeChance({ ...GOOD, during: { ...late, unanswered: 6 } })).toBe(false);
  });

  it('is not excused at a second time by one calm span that something disturbed', () => {
    const rowOf = (before: number, after: number, p99Ms: number): OffenceRow => {
      const observed = {
        ...GOOD, calm: [before, after].map((ms) => ({ ...GOOD.during, unanswered: 0, p99Ms: ms })),
        during: { ...GOOD.during, p99Ms },
      };
      return { name: 'n', does: 'd', heldBy: 'h', observed, troubles: assess(observed), isSecond: false };
    };
    const again = againAfter(rowOf(538, 395, 2_903), rowOf(1_307, 521, 2_402));
    expect(calmP99Ms(again.observed.calm)).toBe(529.5);
    expect(again.troubles).toEqual(['The honest p99 was 2402 ms; allowed are 1059.']);
    expect(again).toMatchObject({ isSecond: true, firstP99Ms: 2_903 });
    expect(againAfter(rowOf(538, 395, 2_903), rowOf(1_307, 521, 1_000)).troubles).toEqual([]);
  });

  it('leaves honest tries their answers', () => {
    expect(assessed({ during: { ...GOOD.during, unanswered: 6 } }))
      .toEqual(['6 honest tries had no answer, 429 or 5xx.']);
  });

  it('shows nothing when the honest hardly called, or when it did nothing itself', () => {
    expect(assessed({ during: { calls: 49, unanswered: 0, p99Ms: 1 } })).toHaveLength(1);
    expect(assessed({ answers: {} })).toEqual(['The offender did nothing.']);
  });

  it('ends no process, and makes none grow', () => {
    const gateway = { name: 'gateway-1', endings: 0, rssMiBMax: 1 };
    expect(assessed({ processes: [{ ...gateway, endings: 1 }] }))
      .toEqual(['gateway-1 ended 1 times.']);
    expect(assessed({ processes: [{ ...gateway, rssMiBMax: RSS_MIB_MAX + 1 }] })).toHaveLength(1);
    const parties = { ...gateway, name: 'parties', rssMiBMax: RSS_MIB_MAX_OF_PARTIES };
    expect(assessed({ processes: [parties] })).toEqual([]);
    expect(assessed({ processes: [{ ...parties, rssMiBMax: RSS_MIB_MAX_OF_PARTIES + 1 }] }))
      .toHaveLength(1);
  });

  it('has answers without an end of which little is taken', () => {
    expect(assessed({ answerMiBTaken: ANSWER_MIB_MAX + 1 }))
      .toEqual(['17 MiB were taken of one answer of the party.']);
  });

  it('keeps no analyst from asking, unless it is one itself', () => {
    const analyst = { failedQueries: 1, staleMsMax: 0 };
    expect(assessed({ analyst })).toEqual(['1 queries of the honest analyst failed.']);
    expect(assessed({ analyst, isAnalyst: true })).toEqual([]);
  });

  it('keeps no honest fix from the tables', () => {
    const analyst = { failedQueries: 0, staleMsMax: STALE_MS_MAX + 1 };
    expect(assessed({ analyst, isAnalyst: true })).toHaveLength(1);
  });

  it('keeps no viewer without updates, and without pictures of the past', () => {
    const viewer = { silentMsMax: SILENT_MS_MAX + 1, failedPictures: 2 };
    expect(assessed({ viewer })).toEqual([
      'The honest viewer saw nothing for 5001 ms.', '2 pictures of the honest viewer failed.',
    ]);
    expect(assessed({ viewer, isAnalyst: true })).toHaveLength(1);
  });

  it('keeps no fact from the webhook of an honest provider, and puts none out of order', () => {
    const webhook = { waitedMsMax: WEBHOOK_MS_MAX + 1, wrong: 1 };
    expect(assessed({ webhook, isAnalyst: true })).toEqual([
      'A fact waited 8001 ms for the honest webhook.', '1 posts to the honest webhook were wrong.',
    ]);
  });

  it('gets what its protection answers, as often as that', () => {
    const mustGet = { answer: '429', times: 90 };
    expect(assessed({ mustGet })).toEqual([]);
    expect(assessed({ mustGet: { ...mustGet, times: 91 } })).toEqual([
      'The offender was answered 429 90 times; the protection gives 91 at least.',
    ]);
    expect(assessed({ mustGet: { answer: '413', times: 1 } })).toHaveLength(1);
    const answers = { 202: 50, 429: 40 };
    const of = (ofCalls: number) => assessed({ answers, mustGet: { ...mustGet, ofCalls } });
    expect(of(90)).toHaveLength(1);
    expect(of(91)).toEqual([]);
  });

  it('gets no 5xx, unless its calls know no 429', () => {
    expect(assessed({ answers: { 500: 1 } })).toEqual(['The offender was answered 500.']);
    expect(assessed({ answers: { 500: 1 }, hasOnly500: true })).toEqual([]);
  });
});

describe('what honest callers saw', () => {
  const line = (ms: number, outcome: HistoryLine['outcome'] = 'ok'): HistoryLine => ({
    op: 'send-locations', call: 'c', attempt: 1, client: 'p', gateway: 'gateway-1', args: {},
    items: [], t_invoke_ns: '1000000', t_return_ns: String(1_000_000 + ms * 1_000_000), outcome,
    status: 202, body: {}, ingest_id: null,
  });

  it('is the hundredth slowest of its tries, whatever came back', () => {
    const tries = Array.from({ length: 200 }, (_, nth) => line(nth + 1));
    expect(seenIn(tries)).toEqual({ calls: 200, unanswered: 0, p99Ms: 199 });
    expect(seenIn([...tries, line(9_000, 'info'), line(9_000, 'info'), line(9_000, 'info')]))
      .toEqual({ calls: 203, unanswered: 3, p99Ms: 9_000 });
  });

  it('is nothing without tries', () => {
    expect(seenIn([])).toEqual({ calls: 0, unanswered: 0, p99Ms: 0 });
  });
});
