import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './search-options.ts';

/** The parts of a document that the search uses. */
interface Element {
  hidden: boolean;
  value: string;
  textContent: string;
  href: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  append(...children: readonly Element[]): void;
  replaceChildren(...children: readonly Element[]): void;
  focus(): void;
  addEventListener(type: string, react: (event: { preventDefault(): void }) => void): void;
}
interface Page {
  readonly document: {
    querySelector(selector: string): Element | null;
    createElement(name: string): Element;
  };
}

const RESULTS_MAX = 12;
const { document } = globalThis as unknown as Page;
const form = document.querySelector('#search');
const input = document.querySelector('#search input');
const list = document.querySelector('#results');
if (form !== null && input !== null && list !== null) startSearch(form, input, list);

/** Shows in the list what is found for the input; the index is brought with the first question. */
function startSearch(form: Element, input: Element, list: Element): void {
  let index: Promise<MiniSearch> | undefined;

  async function bringIndex(): Promise<MiniSearch> {
    const response = await fetch(form.dataset['index'] ?? '');
    return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
  }

  async function show(): Promise<void> {
    const asked = input.value.trim();
    const found = asked === '' ? [] : (await (index ??= bringIndex())).search(asked);
    // What was typed meanwhile has a question of its own.
    if (asked !== input.value.trim()) return;
    list.hidden = asked === '';
    list.replaceChildren(...found.slice(0, RESULTS_MAX).map(result));
    if (asked !== '' && found.length === 0) list.replaceChildren(line('Nothing found.'));
  }

  form.hidden = false;
  form.addEventListener('submit', (event) => { event.preventDefault(); });
  input.addEventListener('input', () => {
    show().catch(() => {
      index = undefined;
      list.hidden = false;
      list.replaceChildren(line('The index could not be read. Type on to try again.'));
    });
  });
}

function result(found: { readonly id: unknown; readonly [field: string]: unknown }): Element {
  const link = document.createElement('a');
  const [page, title] = [String(found['page']), String(found['title'])];
  link.href = String(found.id);
  link.textContent = title === '' || title === page ? page : `${page}: ${title}`;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function line(text: string): Element {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}
