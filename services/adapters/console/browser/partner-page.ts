import type {
  AcceptedCalls, ClientCalls, LimitsResource, ProviderScoresResource,
} from '../../../../schemas/generated/types.ts';
import type { OwnAddresses } from './addresses.ts';
import { ask } from './ask.ts';
import { el } from './elements.ts';
import { examinationPanel } from './examination-panel.ts';
import { outcomePanel } from './outcome-panel.ts';
import type { Around } from './page.ts';
import {
  acceptedView, checklistView, limitsView, refusedView, scoresView,
} from './partner-views.ts';
import { TEXTS } from './texts.ts';

const POLL_MS = 3_000;

/** A part of the page, with what it shows of an answer. */
type FilledPart<Body> = readonly [
  into: HTMLElement, view: (body: Body) => readonly HTMLElement[],
];

/** The integration of a provider or carrier: its steps, refused and accepted calls, and limits. */
export async function partnerPage(main: HTMLElement, around: Around): Promise<void> {
  const { addresses: { own }, leaving } = around;
  if (own === undefined) {
    main.replaceChildren(el('p', { class: 'text' }, TEXTS.noPartner));
    return;
  }
  const [steps, refused, accepted] = [part(), part(), part()] as const;
  const [scores, limits] = [part(), part()] as const;
  const refresh = el('button', { type: 'button', onclick: () => { void loadAll(own); } }, TEXTS.refresh);
  main.replaceChildren(el('div', { class: 'text' },
    el('h1', {}, TEXTS.partner), refresh,
    section(TEXTS.checklist, TEXTS.checklistHow, steps),
    ...own.examinations === undefined ? [] : [examinationPanel(own.examinations, around)],
    section(TEXTS.refusedCalls, TEXTS.refusedHow, refused),
    ...own.ingests === undefined ? [] : [section(TEXTS.accepted, TEXTS.acceptedHow, accepted)],
    ...own.scores === undefined ? [] : [section(TEXTS.scores, TEXTS.scoresHow, scores)],
    ...own.limits === undefined ? [] : [section(TEXTS.limits, undefined, limits)]));
  await loadAll(own);
  follow(own);

  async function loadAll(
    { calls, ingests, limits: ofLimits, scores: ofScores, ingest }: OwnAddresses,
  ): Promise<void> {
    await Promise.all([
      loadCalls(calls),
      load<AcceptedCalls>(ingests, [accepted, (body) => (
        acceptedView(body, (id) => outcomePanel(id, ingest(id) ?? '', leaving))
      )]),
      load<ProviderScoresResource>(ofScores, [scores, scoresView]),
      load<LimitsResource>(ofLimits, [limits, limitsView]),
    ]);
  }

  function loadCalls(address: string): Promise<void> {
    return load<ClientCalls>(address, [steps, checklistView], [refused, refusedView]);
  }

  /** Asks again and again while someone sees it, until the page is left. */
  function follow({ calls }: OwnAddresses): void {
    const timer = setInterval(() => {
      if (!document.hidden) void loadCalls(calls);
    }, POLL_MS);
    leaving.addEventListener('abort', () => { clearInterval(timer); });
    if (leaving.aborted) clearInterval(timer);
  }

  /** Fills parts from the answer to one call, each in its own way; none without an address. */
  async function load<Body>(
    address: string | undefined,
    ...parts: readonly FilledPart<Body>[]
  ): Promise<void> {
    if (address === undefined) return;
    const reply = await ask<Body>(address, { signal: leaving }).catch(() => undefined);
    if (reply === undefined || leaving.aborted) return;
    if (!reply.ok && reply.status === 401) around.signedOut();
    for (const [into, view] of parts) {
      update(into, reply.ok ? view(reply.body) : [el('p', {}, TEXTS.refused(reply.detail))]);
    }
  }
}

function part(): HTMLElement {
  return el('div', {}, el('p', {}, TEXTS.finding));
}

function section(title: string, how: string | undefined, content: HTMLElement): HTMLElement {
  return el('section', { class: 'hit' }, el('h2', {}, title),
    how === undefined ? undefined : el('p', {}, how), content);
}

/** What each part was filled with. */
const shown = new WeakMap<HTMLElement, string>();

/** Leaves what is the same as it is, and with it the focus and what is scrolled or chosen. */
function update(into: HTMLElement, views: readonly HTMLElement[]): void {
  const text = views.map(({ outerHTML }) => outerHTML).join('');
  if (shown.get(into) === text) return;
  shown.set(into, text);
  into.replaceChildren(...views);
}
