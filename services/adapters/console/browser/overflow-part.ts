import type { OverflowDecision, OverflowList } from '../../../../schemas/generated/types.ts';
import { ask } from './ask.ts';
import { curlButton } from './copy.ts';
import { el } from './elements.ts';
import { decisionRow } from './overflow.ts';
import { movePanel } from './move-panel.ts';
import type { Around } from './page.ts';
import { table } from './parts.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

const { overflow: WORDS } = TEXTS;

/** Who is in overflow since when, with a way in and out for each, and for any other by its name. */
export function overflowPart(
  address: string, around: Pick<Around, 'leaving' | 'signedOut'>,
): HTMLElement {
  const list = el('div', { 'aria-live': 'polite' }, el('p', {}, TEXTS.finding));
  const panel = el('div', { role: 'group', 'aria-label': WORDS.move });
  void show();
  return el('section', { class: 'overflow' },
    el('h2', {}, WORDS.title), el('p', {}, WORDS.how), list,
    el('button', { type: 'button', onclick: () => { choose(undefined); } }, WORDS.other),
    curlButton(address), panel);

  async function show(): Promise<void> {
    const reply = await ask<OverflowList>(address, { signal: around.leaving })
      .catch(() => undefined);
    if (reply === undefined || around.leaving.aborted) return;
    if (reply.ok) {
      list.replaceChildren(...listView(reply.body, choose));
      return;
    }
    if (reply.status === 401) around.signedOut();
    list.replaceChildren(el('p', {}, TEXTS.refused(reply.detail)));
  }

  function choose(decision: OverflowDecision | undefined): void {
    panel.replaceChildren(movePanel(address, decision, { ...around, onDone: show }));
    panel.querySelector('input')?.focus();
  }
}

function listView(
  { decisions, waiting_records: waiting, has_more: hasMore }: OverflowList,
  onChoose: (decision: OverflowDecision) => void,
): readonly HTMLElement[] {
  const rows = decisions.map((decision) => [
    ...decisionRow(decision, WORDS, timeText),
    el('button', { type: 'button', onclick: () => { onChoose(decision); } },
      decision.state === 'in' ? WORDS.out : WORDS.in),
  ]);
  return [
    decisions.length === 0 ? el('p', {}, WORDS.none) : table(WORDS.title, WORDS.heads, rows),
    el('p', {}, WORDS.waiting(waiting)), ...hasMore ? [el('p', {}, WORDS.more)] : [],
  ];
}
