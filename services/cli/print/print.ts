import { styleText } from 'node:util';
import type { Display, Times } from './display.ts';
import { fitted } from './fit.ts';
import type { Cell, PrintedLine, Table, Tone } from './lines.ts';

const STYLES = {
  bad: 'red', warning: 'yellow', good: 'green', quiet: 'dim',
} as const satisfies Readonly<Record<Tone, Parameters<typeof styleText>[0]>>;
const GAP = '  ';

/** The text of lines as a display shows it. */
export function printed(lines: readonly PrintedLine[], display: Display): readonly string[] {
  return lines.flatMap((each) => {
    if (typeof each === 'string') return [each];
    return 'parts' in each
      ? [each.parts.map((cell) => styled(textOf(cell, display.times), cell, display)).join('')]
      : tableLines(each, display);
  });
}

/** A time as people read it, with the distance of its zone from UTC; or for programs. */
export function timeText(epochMs: number, times: Times): string {
  switch (times) {
    case 'epoch': return String(epochMs);
    case 'utc': return new Date(epochMs).toISOString();
    case 'local': {
      const ahead = -new Date(epochMs).getTimezoneOffset();
      const local = new Date(epochMs + ahead * 60_000).toISOString();
      return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offsetText(ahead)}`;
    }
  }
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

function tableLines({ heads, rows, indent = 0 }: Table, display: Display): readonly string[] {
  const texts = rows.map((row) => row.map((cell) => textOf(cell, display.times)));
  const widths = fitted(heads, texts, rows, display.columns === undefined
    ? undefined : display.columns - indent);
  const isRight = (column: number, cell: Cell | undefined): boolean => (
    typeof valueOf(cell ?? rows[0]?.[column] ?? '') === 'number'
  );
  const cellText = (text: string, column: number, cell?: Cell): string => {
    const width = widths[column] ?? 0;
    const short = text.length > width ? `${text.slice(0, width - 1)}…` : text;
    return isRight(column, cell) ? short.padStart(width) : short.padEnd(width);
  };
  const start = ' '.repeat(indent);
  const head = heads.map((text, column) => cellText(text, column)).join(GAP);
  return [
    `${start}${display.colors ? styleText('bold', head.trimEnd(), EVEN_SO) : head.trimEnd()}`,
    ...rows.map((row, n) => start + row.map((cell, column) => {
      const text = cellText(texts[n]?.[column] ?? '', column, cell);
      // Spaces at the end of a line are none of its words.
      return styled(column === row.length - 1 ? text.trimEnd() : text, cell, display);
    }).join(GAP).trimEnd()),
  ];
}

/** The display has decided already. */
const EVEN_SO = { validateStream: false } as const;

function styled(text: string, cell: Cell, { colors }: Display): string {
  if (!colors || typeof cell !== 'object' || !('tone' in cell)) return text;
  return styleText(STYLES[cell.tone], text, EVEN_SO);
}

function valueOf(cell: Cell): string | number {
  if (typeof cell !== 'object') return cell;
  return 'word' in cell ? cell.word : '';
}

function textOf(cell: Cell, times: Times): string {
  return typeof cell === 'object' && 'atMs' in cell
    ? timeText(cell.atMs, times) : String(valueOf(cell));
}
