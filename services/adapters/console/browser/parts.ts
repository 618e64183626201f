import { ask, type GatewayReply } from './ask.ts';
import { curlButton } from './copy.ts';
import { el } from './elements.ts';
import { recordView } from './record-view.ts';
import { TEXTS } from './texts.ts';

/** A part of a page that shows the answer to one call; without an address there is none. */
export interface AskedPart {
  readonly title: string;
  readonly address: string | undefined;
  /** The body for people; without it as members and values. */
  readonly show?: (body: never) => HTMLElement;
}

/** Asks for all parts at once, and shows them in their order; rejects where the page was left. */
export async function loadParts(
  parts: readonly AskedPart[], leaving: AbortSignal,
): Promise<readonly HTMLElement[]> {
  const asked = await Promise.all(parts.map(async (part) => (
    part.address === undefined
      ? [] : [partView(part, part.address, await ask<object>(part.address, { signal: leaving }))]
  )));
  return asked.flat();
}

function partView(
  { title, show = recordView }: AskedPart, address: string, answer: GatewayReply<object>,
): HTMLElement {
  return el('section', { class: 'hit' }, el('h2', {}, title),
    answer.ok ? show(answer.body as never) : el('p', {}, TEXTS.refused(answer.detail)),
    curlButton(address));
}

/** A table with a head, as wide as it needs, that can be scrolled by keyboard. */
export function table(
  label: string, heads: readonly string[], rows: readonly (readonly (Node | string)[])[],
  classOf: (index: number) => string | undefined = () => undefined,
): HTMLElement {
  return el('div', { 'class': 'table', 'tabindex': 0, 'role': 'region', 'aria-label': label },
    el('table', {},
      el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
      el('tbody', {}, ...rows.map((row, index) => (
        el('tr', { class: classOf(index) }, ...row.map((cell) => el('td', {}, cell))))))));
}
