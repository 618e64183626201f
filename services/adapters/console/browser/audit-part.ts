import type { CommandAudits } from '../../../../schemas/generated/types.ts';
import { ask } from './ask.ts';
import { auditRow, newestAudits } from './audits.ts';
import { curlButton } from './copy.ts';
import { el } from './elements.ts';
import { liveTable } from './live-table.ts';
import type { Around } from './page.ts';
import { pause } from './pause.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

const ASKED_EVERY_MS = 5_000;

/**
 * The newest replays and moves of operators, asked every few seconds: the tables that have them are
 * seconds behind the log.
 */
export function auditPart(
  address: string, { leaving, signedOut }: Pick<Around, 'leaving' | 'signedOut'>,
): HTMLElement {
  const says = el('p', { role: 'status' }, TEXTS.finding);
  const rows = liveTable(TEXTS.audits, [
    TEXTS.time, TEXTS.who, TEXTS.command, TEXTS.about, TEXTS.recordsAtMost, TEXTS.reason,
  ]);
  rows.element.hidden = true;
  void follow();
  return el('section', {}, el('h2', {}, TEXTS.audits), el('p', {}, TEXTS.auditsHow), says,
    rows.element, curlButton(newestAudits(address, Date.now())));

  async function follow(): Promise<void> {
    for (;;) {
      const reply = await ask<CommandAudits>(
        newestAudits(address, Date.now()), { signal: leaving },
      ).catch(() => undefined);
      if (reply === undefined || leaving.aborted) return;
      if (reply.ok) show(reply.body);
      else {
        if (reply.status === 401) {
          signedOut();
          return;
        }
        // What was shown before stays.
        says.textContent = TEXTS.refused(reply.detail);
        says.hidden = false;
      }
      await pause(ASKED_EVERY_MS, leaving);
    }
  }

  function show({ audits }: CommandAudits): void {
    says.textContent = TEXTS.noAudits;
    says.hidden = audits.length > 0;
    rows.element.hidden = audits.length === 0;
    rows.show(audits.map((audit) => auditRow(audit, timeText)));
  }
}
