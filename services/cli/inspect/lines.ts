import { at, tableOf, type Cell, type PrintedLine } from '../print/lines.ts';

/**
 * A value as lines for people: plain members one a line, lists of objects as tables below their
 * name, and what is wrong at the end, a sentence a line.
 */
export function linesOf(
  { problems, ...value }: { readonly problems: readonly string[] },
): readonly PrintedLine[] {
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const width = Math.max(...members.map(([name]) => name.length)) + 2;
  const lines = members.flatMap(([name, each]) => (
    isRows(each)
      ? ['', `${name}:`, ...rowsOf(each)]
      : [{ parts: [name.padEnd(width), ...partsOf(each)] }]
  ));
  return problems.length === 0 ? lines : [...lines, '', ...problems];
}

function isRows(value: unknown): value is readonly object[] {
  return Array.isArray(value) && (value.length === 0 || typeof value[0] === 'object');
}

function rowsOf(rows: readonly object[]): readonly PrintedLine[] {
  const [first] = rows;
  if (first === undefined) return ['  none'];
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return tableOf(heads.map((head) => head.toUpperCase()), rows.map((row) => (
    heads.map((head) => {
      const cell = (row as Readonly<Record<string, unknown>>)[head];
      return typeof cell === 'number' ? cell : cellOf(cell);
    })
  )), 2);
}

function cellOf(value: unknown): Cell {
  const [only, ...more] = partsOf(value);
  return more.length === 0 && only !== undefined ? only : textOf(value);
}

/** Members of objects one after another, and each time as one. */
function partsOf(value: unknown): readonly Cell[] {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, each], n) => (
      [`${n === 0 ? '' : ', '}${name} `, ...partsOf(each)]
    ));
  }
  return [typeof value === 'string' && TIME.test(value) ? at(Date.parse(value)) : textOf(value)];
}

/** A time as `isoOf` writes it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value === 'object') {
    return Object.entries(value).map(([name, each]) => `${name} ${textOf(each)}`).join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
