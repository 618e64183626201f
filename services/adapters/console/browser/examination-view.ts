import type { ExaminedCheck, PartyExamination } from '../../../../schemas/generated/types.ts';
import { el } from './elements.ts';
import { table } from './parts.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

type Examination = NonNullable<PartyExamination['examination']>;

/** Outcomes in the order in which they matter to who mends an address. */
const ORDER: readonly ExaminedCheck['outcome'][] = ['failed', 'advice', 'skipped', 'passed'];

/** The progress of a run, or how it ended, in one line. */
export function sumOf(examination: Examination): string {
  const { status, checks, checks_planned: planned, asked_at, stopped } = examination;
  if (status === 'waiting') return TEXTS.examinationWaits;
  const sum = ORDER.toReversed()
    .map((outcome) => `${examination[outcome]} ${TEXTS.checkOutcomes[outcome].toLowerCase()}`).join(', ');
  if (status === 'running') return TEXTS.examinationRuns(checks.length, planned, sum);
  return TEXTS.examinationEnded(timeText(Date.parse(asked_at)), sum, stopped);
}

/** The checks that were made, those that failed first. */
export function examinationView({ checks }: Examination): readonly HTMLElement[] {
  if (checks.length === 0) return [];
  const sorted = ORDER.flatMap((outcome) => checks.filter((check) => check.outcome === outcome));
  const heads = [TEXTS.outcome, TEXTS.check, TEXTS.level, TEXTS.outcomeWhy];
  return [table(TEXTS.checks, heads, sorted.map(({ outcome, id, title, level, reasons }) => [
    TEXTS.checkOutcomes[outcome], el('span', {}, title, ' ', el('small', {}, id)), level,
    el('div', {}, ...reasons.map((reason) => el('p', {}, reason))),
  ]), (index) => (sorted[index]?.outcome === 'failed' ? 'wrong' : undefined))];
}
