import { ask, type GatewayReply } from './ask.ts';
import { curlButton } from './curl.ts';
import { el } from './elements.ts';
import type { Around } from './page.ts';
import { recordView, timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

interface Journey {
  readonly entries?: readonly JourneyEntry[];
}

interface JourneyEntry {
  readonly code: string;
  readonly carrier_code: string;
  readonly occurred_at: string;
  readonly outcome: string;
  readonly rule: string;
}

/** One device: what is known of it, and where it is. */
export async function devicePage(main: HTMLElement, around: Around): Promise<void> {
  const { addresses, rest: id } = around;
  await show(main, around, `${TEXTS.device} ${id}`, [
    [TEXTS.state, addresses.device(id)], [TEXTS.lastPosition, addresses.deviceFix(id)],
  ], el('a', { href: `#/fleet/${encodeURIComponent(id)}` }, TEXTS.onMap));
}

/** One shipment: its state, where it is, and its journey with the rule behind each entry. */
export async function shipmentPage(main: HTMLElement, around: Around): Promise<void> {
  const number = encodeURIComponent(around.rest);
  const isPlatform = around.session.audiences.includes('platform');
  const home = isPlatform
    ? `/platform/shipments/${number}` : `/shipping/tracking/shipments/${number}`;
  await show(main, around, `${TEXTS.shipment} ${around.rest}`, [
    [TEXTS.state, isPlatform ? home : `${home}/authorization`],
    [TEXTS.hereNow, isPlatform ? `${home}/last_place` : undefined],
    [TEXTS.journey, `${home}/journey?limit=500`],
  ]);
}

async function show(
  main: HTMLElement, { leaving }: Around, title: string,
  parts: readonly (readonly [string, string | undefined])[], link?: HTMLElement,
): Promise<void> {
  const asked = await Promise.all(parts.map(async ([name, address]) => (
    address === undefined ? undefined : {
      name, address, answer: await ask<object>(address, { signal: leaving }),
    }
  ))).catch(() => []);
  if (leaving.aborted) return;
  main.replaceChildren(el('div', { class: 'text' }, el('h1', {}, title), link,
    ...asked.flatMap((part) => part === undefined ? [] : [partView(part)])));
}

function partView({ name, address, answer }: {
  readonly name: string; readonly address: string; readonly answer: GatewayReply<object>;
}): HTMLElement {
  return el('section', { class: 'hit' }, el('h2', {}, name), bodyView(answer), curlButton(address));
}

function bodyView(answer: GatewayReply<object>): HTMLElement {
  if (!answer.ok) return el('p', {}, TEXTS.refused(answer.detail));
  const { entries } = answer.body as Journey;
  return entries === undefined ? recordView(answer.body) : journeyTable(entries);
}

function journeyTable(entries: readonly JourneyEntry[]): HTMLElement {
  if (entries.length === 0) return el('p', {}, TEXTS.noJourney);
  const heads = [TEXTS.time, TEXTS.code, TEXTS.carrierCode, TEXTS.outcome, TEXTS.rule];
  return el('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': TEXTS.journey },
    el('table', {},
      el('thead', {}, el('tr', {}, ...heads.map((head) => el('th', { scope: 'col' }, head)))),
      el('tbody', {}, ...entries.map((entry) => el('tr', { class: entry.outcome },
        el('td', {}, timeText(Date.parse(entry.occurred_at))), el('td', {}, entry.code),
        el('td', {}, entry.carrier_code), el('td', {}, entry.outcome.replaceAll('_', ' ')),
        el('td', {}, entry.rule.replaceAll('_', ' ')))))));
}
