import type { CommandAudits } from '../../../../schemas/generated/types.ts';
import { askAgain } from './ask-again.ts';
import { auditRow, newestAudits } from './audits.ts';
import { curlButton } from './copy.ts';
import { el } from './elements.ts';
import { liveTable } from './live-table.ts';
import type { Around } from './page.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

const ASKED_EVERY_MS = 5_000;

/**
 * The newest replays and moves of operators, asked every few seconds: the tables that have them are
 * seconds behind the log.
 */
export function auditPart(
  address: string, around: Pick<Around, 'leaving' | 'signedOut'>,
): HTMLElement {
  const says = el('p', { role: 'status' }, TEXTS.finding);
  const rows = liveTable(TEXTS.audits, [
    TEXTS.time, TEXTS.who, TEXTS.command, TEXTS.about, TEXTS.recordsAtMost, TEXTS.reason,
  ]);
  rows.element.hidden = true;
  const asked = (): string => newestAudits(address, Date.now());
  void askAgain<CommandAudits>(asked, ASKED_EVERY_MS, around, (reply) => {
    if (reply.ok) {
      show(reply.body);
      return;
    }
    // What was shown before stays.
    says.textContent = TEXTS.refused(reply.detail);
    says.hidden = false;
  });
  return el('section', {}, el('h2', {}, TEXTS.audits), el('p', {}, TEXTS.auditsHow), says,
    rows.element, curlButton(asked()));

  function show({ audits }: CommandAudits): void {
    says.textContent = TEXTS.noAudits;
    says.hidden = audits.length > 0;
    rows.element.hidden = audits.length === 0;
    rows.show(audits.map((audit) => auditRow(audit, timeText)));
  }
}
