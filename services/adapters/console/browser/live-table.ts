import { el } from './elements.ts';
import { table } from './parts.ts';

/** A table whose rows change while it is read. */
export interface LiveTable {
  readonly element: HTMLElement;
  /** Shows these rows; the table stays, with its focus and as far as it was scrolled. */
  show(
    rows: readonly (readonly string[])[], classOf?: (index: number) => string | undefined,
  ): void;
}

/** Makes an empty one. */
export function liveTable(label: string, heads: readonly string[]): LiveTable {
  const element = table(label, heads, []);
  return {
    element,
    show(rows, classOf = () => undefined) {
      element.querySelector('tbody')?.replaceChildren(...rows.map((row, index) => (
        el('tr', { class: classOf(index) }, ...row.map((cell) => el('td', {}, cell))))));
    },
  };
}
