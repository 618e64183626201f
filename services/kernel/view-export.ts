/** A view of the history as far as an export must know it. */
export interface ExportedView {
  readonly name: string;
  /** Column of a window of time; a view without one is exported whole. */
  readonly time?: string;
  /** True for a view that takes its window as parameters, from receipt to receipt. */
  readonly isWindowed?: boolean;
  /** True for a view that is not read day by day, since days do not add up or each is as dear. */
  readonly isWhole?: boolean;
  /** Text column with many values; what is large is read in parts by its hash. */
  readonly key: string;
  /** What a map shows: a point, or a line by the names before `_latitude` and `_longitude`. */
  readonly geometry?: 'point' | readonly [from: string, to: string];
  /** True when the points of one key are a track. */
  readonly isTrack?: boolean;
}

/** A window of time, in epoch seconds. */
export interface ExportWindow {
  /** Included. */
  readonly fromS: number;
  /** Not included any more. */
  readonly toS: number;
}

/** Which rows of a view are asked for. */
export interface ExportQuestion {
  readonly view: ExportedView;
  /** Present if and only if the view has a time or is windowed. */
  readonly window?: ExportWindow;
  /** Wanted values of text columns; a row must have one of each column. */
  readonly only: ReadonlyMap<string, readonly string[]>;
  /** True to leave out points that are not known, or at 0,0. */
  readonly isPlaced: boolean;
}

/** A row of a view; times are ISO 8601 in UTC, integers of 64 bits decimal text. */
export type ExportedRow = Readonly<Record<string, unknown>>;

/** The history as an analyst may read it, in pieces, so that no answer is large. */
export interface ViewExport {
  /** The columns of the view that hold text, which alone `only` may name. */
  textColumns(question: ExportQuestion): Promise<readonly string[]>;
  /** How many rows there are. */
  count(question: ExportQuestion): Promise<number>;
  /** Rows by day, and within a day by key and time. */
  rows(question: ExportQuestion): AsyncIterable<ExportedRow>;
  /** Every column of every row as one file of the format. */
  file(question: ExportQuestion, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array>;
}
