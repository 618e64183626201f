import { ask, type GatewayReply } from './ask.ts';
import { curlButton } from './copy.ts';
import { el } from './elements.ts';
import { candidatesFor, hitsIn, nextPage, onlyPage, type Candidate, type Hit } from './find.ts';
import type { Around } from './page.ts';
import { recordView } from './record-view.ts';
import { TEXTS } from './texts.ts';

/** Empty pages of one list that are passed over. */
const PAGES_MAX = 20;

/** Paste anything, and see what it is: each operation that may know it is asked. */
export async function findPage(main: HTMLElement, around: Around): Promise<void> {
  const input = el('input', {
    'type': 'search', 'aria-label': TEXTS.findLabel, 'value': around.rest, 'autocomplete': 'off',
    'spellcheck': 'false', 'placeholder': TEXTS.findLabel, 'autofocus': true,
  });
  const results = el('div', { 'aria-live': 'polite' });
  const form = el('form', {
    role: 'search',
    onsubmit: (event) => {
      event.preventDefault();
      const target = `#/find/${encodeURIComponent(input.value.trim())}`;
      if (location.hash === target) void findNow();
      else location.hash = target;
    },
  }, input, el('button', {}, TEXTS.findButton));
  main.replaceChildren(el('div', { class: 'text' },
    el('h1', {}, TEXTS.findTitle), el('p', {}, TEXTS.findHow), form, results));
  input.focus();
  await findNow();

  async function findNow(): Promise<void> {
    const text = around.rest.trim();
    if (text === '') return;
    results.replaceChildren(el('p', {}, TEXTS.finding));
    const candidates = candidatesFor(text, around.session);
    const found = await Promise.all(candidates.map((each) => hitsOf(each, around.leaving)))
      .catch(() => []);
    if (around.leaving.aborted) return;
    const hits = found.flat();
    const page = onlyPage(hits);
    if (page !== undefined) {
      location.replace(page);
      return;
    }
    results.replaceChildren(...hits.map(hitView));
    if (hits.length === 0) results.replaceChildren(el('p', {}, TEXTS.nothingFound(text)));
  }
}

/** Asks page by page until one has something. */
async function hitsOf(candidate: Candidate, signal: AbortSignal): Promise<readonly Hit[]> {
  let address: string | undefined = candidate.address;
  for (let pages = 0; address !== undefined && pages < PAGES_MAX; pages += 1) {
    const asked: GatewayReply<object> = await ask<object>(address, { signal });
    if (!asked.ok) return [];
    const hits = hitsIn(candidate, asked.body);
    if (hits.length > 0) return hits;
    address = nextPage(candidate.address, asked.body);
  }
  return [];
}

function hitView({ kind, address, page, body }: Hit): HTMLElement {
  const title = TEXTS[kind];
  return el('section', { class: 'hit' },
    el('h2', {}, page === undefined ? title : el('a', { href: page }, title)),
    recordView(body), curlButton(address));
}
