import { ask } from './ask.ts';
import { curlButton } from './copy.ts';
import { el } from './elements.ts';
import { candidatesFor, hasFound, type Candidate } from './find.ts';
import type { Around } from './page.ts';
import { recordView } from './record-view.ts';
import { TEXTS } from './texts.ts';

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
    const found = await Promise.all(candidatesFor(text, around.session).map(
      async (candidate) => ({
        candidate,
        asked: await ask<object>(candidate.address, { signal: around.leaving }),
      }),
    )).catch(() => []);
    if (around.leaving.aborted) return;
    const hits = found.flatMap(({ candidate, asked }) => (
      asked.ok && hasFound(asked.body) ? [{ candidate, body: asked.body }] : []));
    const [only, another] = hits;
    if (only?.candidate.page !== undefined && another === undefined) {
      location.replace(only.candidate.page);
      return;
    }
    results.replaceChildren(...hits.map(({ candidate, body }) => hitView(candidate, body)));
    if (hits.length === 0) results.replaceChildren(el('p', {}, TEXTS.nothingFound(text)));
  }
}

function hitView({ kind, address, page }: Candidate, body: object): HTMLElement {
  const title = TEXTS[kind];
  return el('section', { class: 'hit' },
    el('h2', {}, page === undefined ? title : el('a', { href: page }, title)),
    recordView(body), curlButton(address));
}
