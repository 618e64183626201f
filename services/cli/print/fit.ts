import type { Cell } from './lines.ts';

const GAP = 2;
/** No column of text is cut below this. */
const WIDTH_MIN = 10;

/**
 * Widths of the columns of a table: as wide as their widest cell. What is wider than the terminal
 * gets columns of text cut, the widest first; numbers and times are never cut, because a part of
 * one is another one.
 */
export function fitted(
  heads: readonly string[], texts: readonly (readonly string[])[],
  rows: readonly (readonly Cell[])[], columns: number | undefined,
): readonly number[] {
  const widths = heads.map((head, at) => (
    texts.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), head.length)
  ));
  if (columns === undefined) return widths;
  const least = heads.map((head, at) => (
    rows.every((row) => isWord(row[at]))
      ? Math.min(widths[at] ?? 0, Math.max(head.length, WIDTH_MIN)) : widths[at] ?? 0
  ));
  let over = widths.reduce((sum, width) => sum + width + GAP, -GAP) - columns;
  while (over > 0) {
    const spare = widths.map((width, at) => width - (least[at] ?? 0));
    const widest = widths.reduce((best, width, at) => (
      (spare[at] ?? 0) > 0 && (best < 0 || width > (widths[best] ?? 0)) ? at : best
    ), -1);
    if (widest < 0) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
    over -= 1;
  }
  return widths;
}

function isWord(cell: Cell | undefined): boolean {
  if (typeof cell !== 'object') return typeof cell !== 'number';
  return 'word' in cell && typeof cell.word === 'string';
}
