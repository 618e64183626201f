import { tableOf } from '../watch/table.ts';

/**
 * A value as lines for people: plain members one a line, lists of objects as tables below their
 * name, and what is wrong at the end, a sentence a line.
 */
export function linesOf(
  { problems, ...value }: { readonly problems: readonly string[] },
): readonly string[] {
  const members: readonly (readonly [string, unknown])[] = Object.entries(value);
  const width = Math.max(...members.map(([name]) => name.length)) + 2;
  const lines = members.flatMap(([name, each]) => (
    isRows(each)
      ? ['', `${name}:`, ...rowsOf(each)]
      : [`${name.padEnd(width)}${textOf(each)}`]
  ));
  return problems.length === 0 ? lines : [...lines, '', ...problems];
}

function isRows(value: unknown): value is readonly object[] {
  return Array.isArray(value) && (value.length === 0 || typeof value[0] === 'object');
}

function rowsOf(rows: readonly object[]): readonly string[] {
  const [first] = rows;
  if (first === undefined) return ['  none'];
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return tableOf(heads.map((head) => head.toUpperCase()), rows.map((row) => (
    heads.map((head) => {
      const cell = (row as Readonly<Record<string, unknown>>)[head];
      return typeof cell === 'number' ? cell : textOf(cell);
    })
  ))).map((line) => `  ${line}`);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value === 'object') {
    return Object.entries(value).map(([name, each]) => `${name} ${textOf(each)}`).join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
