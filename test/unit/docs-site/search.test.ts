import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ReadPage } from '../../../scripts/docs/read-page.ts';
import { searchIndex } from '../../../scripts/docs/search-index.ts';

/** As much of an element as the search touches. */
class FakeElement {
  hidden = true;
  value = '';
  textContent = '';
  href = '';
  dataset = { index: '/docs/assets/search.1.json' };
  children: FakeElement[] = [];
  readonly reactions = new Map<string, (event: { preventDefault(): void }) => void>();
  append(...children: FakeElement[]): void { this.children.push(...children); }
  replaceChildren(...children: FakeElement[]): void { this.children = children; }
  addEventListener(type: string, react: (event: { preventDefault(): void }) => void): void {
    this.reactions.set(type, react);
  }
}

const PAGES = new Map<string, ReadPage>([
  ['docs/outcomes.md', {
    title: 'What an outcome is', undrawn: [],
    sections: [
      { anchor: 'what-an-outcome-is', title: 'What an outcome is', level: 1, text: 'provable' },
      { anchor: 'see-it', title: 'See <it>', level: 2, text: 'the ledger of ten minutes' },
    ],
  }],
]);

const [form, input, list] = [new FakeElement(), new FakeElement(), new FakeElement()];
const asked: string[] = [];
let answer = (): Promise<string> => Promise.resolve(searchIndex(PAGES));

beforeAll(async () => {
  const found: Readonly<Record<string, FakeElement>> = {
    '#search': form, '#search input': input, '#results': list,
  };
  vi.stubGlobal('document', {
    querySelector: (selector: string) => found[selector] ?? null,
    createElement: () => new FakeElement(),
  });
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve({ text: answer });
  });
  await import('../../../scripts/docs/browser/search.ts');
});
afterAll(() => { vi.unstubAllGlobals(); });

function type(text: string): void {
  input.value = text;
  input.reactions.get('input')?.({ preventDefault: () => undefined });
}

const shown = (): readonly (readonly [string, string])[] =>
  list.children.map(({ children: [link], textContent }) => (
    [link?.textContent ?? textContent, link?.href ?? '']));

describe('the search of a page', () => {
  it('is there once its script runs, and asks for nothing before the first question', () => {
    expect([form.hidden, list.hidden, asked]).toEqual([false, true, []]);
    const preventDefault = vi.fn();
    form.reactions.get('submit')?.({ preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it('says that the index cannot be read, and reads it again with the next question', async () => {
    const good = answer;
    answer = () => Promise.reject(new Error('away'));
    type('ledger');
    await vi.waitFor(() => { expect(shown()[0]?.[0]).toMatch(/could not be read/); });
    expect(list.hidden).toBe(false);
    answer = good;
    type('ledger minutes');
    await vi.waitFor(() => { expect(shown()).toEqual([['What an outcome is: See <it>', '/docs/outcomes#see-it']]); });
    expect(asked).toHaveLength(2);
  });

  it('names the page alone where the title of the section says the same', async () => {
    type('provable');
    await vi.waitFor(() => {
      expect(shown()).toEqual([['What an outcome is', '/docs/outcomes#what-an-outcome-is']]);
    });
    expect(asked).toHaveLength(2);
  });

  it('says when it finds nothing, and goes when the question does', async () => {
    type('zeppelin');
    await vi.waitFor(() => { expect(shown()).toEqual([['Nothing found.', '']]); });
    type(' ');
    await vi.waitFor(() => { expect(list.hidden).toBe(true); });
  });
});
