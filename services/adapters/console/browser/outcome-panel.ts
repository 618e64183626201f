import type { IngestResource } from '../../../../schemas/generated/types.ts';
import { ask, type GatewayReply } from './ask.ts';
import { curlButton } from './copy.ts';
import { el, facts } from './elements.ts';
import { TEXTS } from './texts.ts';

const NOT_YET = 404;

/** How the items of an accepted call ended, by code; it fills as soon as the gateway answers. */
export function outcomePanel(
  ingestId: string, address: string, leaving: AbortSignal,
): HTMLElement {
  const answer = el('div', {}, el('p', {}, TEXTS.finding));
  void ask<IngestResource>(address, { signal: leaving }).then((reply) => {
    answer.replaceChildren(outcomeView(reply));
  }).catch(() => undefined);
  return el('section', {},
    el('h3', {}, TEXTS.outcomeOf(ingestId)), answer, curlButton(address));
}

function outcomeView(reply: GatewayReply<IngestResource>): HTMLElement {
  if (!reply.ok) {
    return el('p', {}, reply.status === NOT_YET ? TEXTS.notInLedger : TEXTS.refused(reply.detail));
  }
  const { outcomes, waiting, records } = reply.body;
  const why = new Set(records.flatMap((record) => [
    ...Object.keys(record.outlier_reasons ?? {}),
    ...[record.rule, record.code].flatMap((each) => each ?? []),
  ]));
  return facts([
    ...Object.entries<number>({ ...outcomes }).map(([name, items]) => (
      [wordsOf(name), countOf(items)] as const)),
    [TEXTS.waiting, countOf(waiting)],
    [TEXTS.outcomeWhy, [...why].map(wordsOf).join(', ')],
  ]);
}

/** Nothing where there is none, so that the row is left out. */
function countOf(items: number): string | undefined {
  return items === 0 ? undefined : items.toLocaleString('en');
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}
