import type { DeadLetterGroups } from '../../../../schemas/generated/types.ts';
import { ask } from './ask.ts';
import { auditPart } from './audit-part.ts';
import { el, facts } from './elements.ts';
import { overflowPart } from './overflow-part.ts';
import type { Around } from './page.ts';
import { table } from './parts.ts';
import { timeText } from './record-view.ts';
import { replayPanel } from './replay-panel.ts';
import { TEXTS } from './texts.ts';

type Group = DeadLetterGroups['groups'][number];

/**
 * Dead letters by signature; beside the chosen one a sample, and the replay. Below who is in
 * overflow, and what operators asked for.
 */
export async function deadLettersPage(main: HTMLElement, around: Around): Promise<void> {
  const { addresses: { deadLetters: address, overflow, audits }, leaving } = around;
  if (address === undefined) {
    main.replaceChildren(el('p', { class: 'text' }, TEXTS.noDeadLettersRight));
    return;
  }
  const list = el('div', { 'aria-live': 'polite' }, el('p', {}, TEXTS.finding));
  const beside = el('aside', { 'aria-label': TEXTS.deadLetterGroup });
  main.replaceChildren(el('div', { class: 'text wide' }, el('h1', {}, TEXTS.deadLetters),
    el('p', {}, TEXTS.deadLettersHow), el('div', { class: 'beside' }, list, beside),
    overflow === undefined ? undefined : overflowPart(overflow, around),
    audits === undefined ? undefined : auditPart(audits, around)));
  await showList(address);

  /** Shows what is open now, and gives how many of a signature there are; undefined: no answer. */
  async function showList(from: string, signature?: string): Promise<number | undefined> {
    const reply = await ask<DeadLetterGroups>(from, { signal: leaving }).catch(() => undefined);
    if (reply === undefined || leaving.aborted) return undefined;
    if (!reply.ok) {
      if (reply.status === 401) around.signedOut();
      list.replaceChildren(el('p', {}, TEXTS.refused(reply.detail)));
      return undefined;
    }
    list.replaceChildren(...listView(reply.body, (group) => { choose(from, group); }));
    const own = reply.body.groups.find((group) => group.signature === signature);
    return own?.dead_letters ?? 0;
  }

  function choose(from: string, group: Group): void {
    beside.replaceChildren(groupView(group), replayPanel(`${from}/replay`, group.signature, {
      leaving, signedOut: around.signedOut, onDone: () => showList(from, group.signature),
    }));
  }
}

function listView(
  { groups, dead_letters: open, has_more: hasMore }: DeadLetterGroups,
  onChoose: (group: Group) => void,
): readonly HTMLElement[] {
  const heads = [
    TEXTS.howMany, TEXTS.topic, TEXTS.code, TEXTS.detail, TEXTS.firstAt, TEXTS.lastAt,
    TEXTS.signature,
  ];
  return [
    el('p', { class: 'total' }, TEXTS.openDeadLetters(open)),
    ...hasMore ? [el('p', {}, TEXTS.moreDeadLetters)] : [],
    ...groups.length === 0
      ? [] : [table(TEXTS.deadLetters, heads, groups.map((group) => cellsOf(group, onChoose)))],
  ];
}

function cellsOf(group: Group, onChoose: (group: Group) => void): readonly (Node | string)[] {
  const { signature, topic, code, detail, first_at, last_at } = group;
  return [
    group.dead_letters.toLocaleString('en'), topic, code, detail,
    timeText(Date.parse(first_at)), timeText(Date.parse(last_at)),
    el('button', { type: 'button', onclick: () => { onChoose(group); } }, signature),
  ];
}

function groupView({ signature, stage, code, workers, hint, detail, sample }: Group): HTMLElement {
  return el('section', {}, el('h2', {}, signature), el('p', {}, hint),
    facts([
      [TEXTS.code, `${stage} ${code}`], [TEXTS.detail, detail], [TEXTS.workers, workers.join(', ')],
    ]),
    el('h2', {}, TEXTS.sample),
    facts([
      [TEXTS.deadLetter, sample.id], [TEXTS.key, sample.key ?? undefined],
      [TEXTS.bytes, sample.value_bytes.toLocaleString('en')],
      ...Object.entries(sample.headers).map(([name, value]) => [name, value] as const),
    ]));
}
