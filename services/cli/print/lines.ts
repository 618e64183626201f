/** How a word stands out on a terminal with colours; without them it is the word alone. */
export type Tone = 'bad' | 'warning' | 'good' | 'quiet';

/** A time, which is printed as the options of the call say. */
export interface Moment {
  readonly atMs: number;
}

/** A word that stands out. */
export interface Toned {
  readonly word: string | number;
  readonly tone: Tone;
}

/** What a cell of a table, or a part of a sentence, may be. */
export type Cell = string | number | Moment | Toned;

/** Rows below their heads; the printer decides how wide each column is. */
export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly indent?: number;
}

/** A line of parts, of which some are times or stand out. */
export interface Sentence {
  readonly parts: readonly Cell[];
}

/** What a report has for people, line by line; a table is several. */
export type PrintedLine = string | Sentence | Table;

/** Lines of a table: columns as wide as their widest cell, numbers to the right. */
export function tableOf(
  heads: readonly string[], rows: readonly (readonly Cell[])[], indent = 0,
): readonly PrintedLine[] {
  return [{ heads, rows, indent }];
}

/** A list that a filter emptied is not the same as one that never had anything. */
export function noneOf(all: readonly unknown[], never: string): string {
  return all.length === 0 ? never : `None of ${all.length} is of this kind.`;
}

/** A time of a line or of a cell. */
export function at(epochMs: number): Moment {
  return { atMs: epochMs };
}

/** A time that is in JSON already, as `isoOf` writes it. */
export function timeOf(iso: string): Moment {
  return at(Date.parse(iso));
}

/** A word in a tone. */
export function toned(tone: Tone, word: string | number): Toned {
  return { word, tone };
}

/** A line with times or words that stand out in it. */
export function line(texts: TemplateStringsArray, ...cells: readonly Cell[]): Sentence {
  return { parts: texts.flatMap((text, n) => (n < cells.length ? [text, cells[n] ?? ''] : [text])) };
}
