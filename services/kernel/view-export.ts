/** A view of the history as far as an export must know it. */
export interface ExportedView {
  readonly name: string;
  /** Column of a window of time; a view without one is exported whole. */
  readonly time?: string;
  /** True for a view that takes its window as parameters, from receipt to receipt. */
  readonly isWindowed?: boolean;
  /** True for a view that is not read day by day, since days do not add up or each is as dear. */
  readonly isWhole?: boolean;
  /** Text column with many values; what is large is read in ranges of it. */
  readonly key: string;
  /** What a map shows: a point, or a line by the names before `_latitude` and `_longitude`. */
  readonly geometry?: 'point' | readonly [from: string, to: string];
  /** Of a line: how many fixes its way has at most, in SQL. Its ends have a time each. */
  readonly fixesMax?: string;
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
  /** Of lines: only those that this time is in, in epoch seconds. */
  readonly atS?: number;
  /** True to add the way of a line, which is read from the fixes. */
  readonly hasWays?: boolean;
}

/** A part of a question that the store answers at once. */
export interface ExportSlice {
  /** A day of the window or a part of one; absent where the question has none. */
  readonly window?: ExportWindow;
  /** The one provider of its rows; absent where they are not asked for by provider. */
  readonly provider?: string;
  /** Least key, included; absent for the first range. */
  readonly keyFrom?: string;
  /** Key before which the range ends; absent for the last range. */
  readonly keyTo?: string;
  /** Rows when the slices were made. */
  readonly rows: number;
}

/** A row of a view; times are ISO 8601 in UTC, integers of 64 bits decimal text. */
export type ExportedRow = Readonly<Record<string, unknown>>;

/** Column of a view and its type. */
export interface ExportedColumn {
  readonly name: string;
  readonly type: string;
}

/** The form of a slice as bytes; `csv-rows` is CSV without its line of names. */
export type SliceForm = 'csv' | 'csv-rows' | 'parquet' | 'geoparquet';

/** The bytes of a slice, how many rows they hold, and the statement that gave them. */
export interface SliceBytes {
  readonly rows: number;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The history as an analyst may read it, in slices, so that no answer is large. */
export interface ViewExport {
  columns(question: ExportQuestion): Promise<readonly ExportedColumn[]>;
  /** The question by day, by provider where that is said, and by range of the key. */
  slices(question: ExportQuestion, isByProvider: boolean): Promise<readonly ExportSlice[]>;
  /** How many rows a question has, and a text by an expression of SQL that changes with them. */
  mark(
    question: ExportQuestion, expression: string,
  ): Promise<{ readonly rows: number; readonly mark: string }>;
  /** The days of UTC on which a question with a window has rows, as `YYYY-MM-DD`. */
  days(question: ExportQuestion): Promise<ReadonlySet<string>>;
  /** Rows by key and time; those with ways have a `path` of longitudes and latitudes. */
  rows(question: ExportQuestion, slice: ExportSlice): AsyncIterable<ExportedRow>;
  /** Every column of every row. */
  bytes(question: ExportQuestion, slice: ExportSlice, form: SliceForm): Promise<SliceBytes>;
}

/** A kind of geometry as GeoParquet names it. */
export type GeometryType = 'Point' | 'LineString';

/** True for columns of text. */
export function isTextColumn({ type }: ExportedColumn): boolean {
  return type === 'String' || type === 'LowCardinality(String)';
}
