import { el } from './elements.ts';
import type { Around } from './page.ts';
import { loadParts, table } from './parts.ts';
import { timeText } from './record-view.ts';
import { TEXTS } from './texts.ts';

interface Journey {
  readonly entries: readonly JourneyEntry[];
}

interface JourneyEntry {
  readonly code: string;
  readonly carrier_code: string;
  readonly occurred_at: string;
  readonly outcome: string;
  readonly rule: string;
  readonly explanation: string;
}

/** One shipment: its state, where it is, and its journey with the rule behind each entry. */
export async function shipmentPage(
  main: HTMLElement, { rest, session, leaving }: Around,
): Promise<void> {
  const number = encodeURIComponent(rest);
  const isPlatform = session.audiences.includes('platform');
  const home = isPlatform
    ? `/platform/shipments/${number}` : `/shipping/tracking/shipments/${number}`;
  const parts = await loadParts([
    { title: TEXTS.state, address: isPlatform ? home : `${home}/authorization` },
    { title: TEXTS.hereNow, address: isPlatform ? `${home}/last_place` : undefined },
    { title: TEXTS.journey, address: `${home}/journey?limit=500`, show: journeyView },
  ], leaving).catch(() => []);
  if (leaving.aborted) return;
  main.replaceChildren(
    el('div', { class: 'text' }, el('h1', {}, `${TEXTS.shipment} ${rest}`), ...parts));
}

function journeyView({ entries }: Journey): HTMLElement {
  if (entries.length === 0) return el('p', {}, TEXTS.noJourney);
  const heads = [TEXTS.time, TEXTS.code, TEXTS.carrierCode, TEXTS.outcome, TEXTS.rule];
  return table(TEXTS.journey, heads, entries.map((entry) => [
    timeText(Date.parse(entry.occurred_at)), entry.code, entry.carrier_code,
    entry.outcome.replaceAll('_', ' '),
    el('span', {}, entry.rule.replaceAll('_', ' '), el('small', {}, entry.explanation)),
  ]), (index) => entries[index]?.outcome);
}
