import { describe, expect, it } from 'vitest';
import { checkEvidence } from '../../faults/checker/check-evidence.ts';
import { comparedNumber } from '../../faults/checker/compared-number.ts';
import type { InvariantName } from '../../faults/checker/report.ts';
import { TOPIC } from '../../faults/checker/topics.ts';
import type { Draft } from '../../support/fault-draft.ts';
import { aGoodRun } from '../../support/fault-evidence.ts';
import { changeRecord, removeFrom } from '../../support/bad-histories/spoil.ts';

/** The good run, but its carrier writes the number of its shipment in another way each time. */
function aRunOfSpellings(): Draft {
  const run = aGoodRun();
  const spellings = ['rst1', ' RST1 ', 'ＲＳＴ１'];
  for (const [at, each] of run.tries.entries()) {
    if (each.op !== 'push-notifications') continue;
    const key = spellings.shift()!;
    const items = each.items.map((item) => (
      { ...item, key, content: { ...item.content, tracking_number: key } }
    ));
    run.tries[at] = { ...each, items, args: { ...each.args, tracking_number: key } };
  }
  return run;
}

function blamed(run: Draft, invariant: InvariantName): readonly string[] {
  const verdict = checkEvidence(run).verdicts.find((each) => each.invariant === invariant)!;
  return verdict.violations.map(({ kind }) => kind);
}

describe('the checker on spellings of one tracking number', () => {
  it.each([
    ['t-run-1', 'T-RUN-1'], [' rs1\u00a0', 'RS1'], ['ＲＳ１', 'RS1'], ['r\u200bs\u00ad1', 'RS1'],
    ['rs 1', 'RS 1'], ['stra\u00dfe', 'STRASSE'], ['\u200b', '\u200b'],
  ])('compares %j as %j', (sent, form) => {
    expect(comparedNumber(sent)).toBe(form);
  });

  it('blames nothing when all of them are one shipment', () => {
    const { verdicts } = checkEvidence(aRunOfSpellings());
    expect(verdicts.flatMap(({ violations }) => violations)).toEqual([]);
  });

  it('sees one that is lost from the log', () => {
    const run = aRunOfSpellings();
    removeFrom(run, TOPIC.notifications, (text) => text.includes('"n1"'));
    expect(blamed(run, 'I1')).toEqual(['lost']);
  });

  it('sees one that no analyst finds', () => {
    const run = aRunOfSpellings();
    run.rows.splice(run.rows.findIndex(({ mark }) => mark === 'n1'), 1);
    expect(blamed(run, 'I1')).toEqual(['unaccounted']);
  });

  it('sees one that stands twice in its view', () => {
    const run = aRunOfSpellings();
    run.rows.push({ ...run.rows.find(({ mark }) => mark === 'n1')! });
    expect(blamed(run, 'I1')).toEqual(['duplicate']);
  });

  it('sees one that is stored under the spelling instead of the number', () => {
    const run = aRunOfSpellings();
    const at = run.rows.findIndex(({ mark }) => mark === 'n0');
    run.rows[at] = { ...run.rows[at]!, key: 'rst1' };
    expect(blamed(run, 'I1')).toEqual(['unaccounted']);
    expect(blamed(run, 'I2')).toEqual(['phantom']);
  });

  it('sees a record whose key in the log is the spelling', () => {
    const run = aRunOfSpellings();
    changeRecord(run, TOPIC.notifications, (text) => text.includes('"n0"'), { key: 'rst1' });
    expect(blamed(run, 'I9')).toContain('order-violation');
  });

  it('sees two spellings of one shipment swapped in the log', () => {
    const run = aRunOfSpellings();
    const [first, second] = run.log.filter(({ topic }) => topic === TOPIC.notifications);
    const [one, other] = [first!.value, second!.value];
    changeRecord(run, TOPIC.notifications, (text) => text.includes('"n0"'), { value: other });
    changeRecord(run, TOPIC.notifications, (text) => text.includes('"offset":1'), { value: one });
    expect(blamed(run, 'I9')).toContain('order-violation');
  });
});
