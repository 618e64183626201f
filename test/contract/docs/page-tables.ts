import { readFileSync } from 'node:fs';

/** One row of a table: its cells, and its line in the page, from 1. */
interface TableRow {
  readonly at: number;
  readonly cells: readonly string[];
}

/** Every row of the tables of a page under docs/ that have exactly this head. */
export function readTables(page: string, head: readonly string[]): TableRow[] {
  const lines = readFileSync(`docs/${page}`, 'utf8').split('\n');
  const rows: TableRow[] = [];
  let isOurs = false;
  lines.forEach((line, index) => {
    const cells = cellsOf(line);
    if (cells === undefined) isOurs = false;
    else if (cells.join('|') === head.join('|')) isOurs = true;
    else if (isOurs && !/^-+$/.test(cells[0] ?? '')) rows.push({ at: index + 1, cells });
  });
  return rows;
}

/** The bars outside of backticks divide a row. */
function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|') || !line.endsWith('|')) return undefined;
  const parts = line.slice(1, -1).match(/(?:`[^`]*`|[^|`])+/g) ?? [];
  return parts.map((part) => part.trim());
}
