import type { ExportQuestion } from '../../kernel/view-export.ts';

const DAY_S = 86_400;

/** A part of a question that the store answers at once: of a day, of `parts` parts the `part`th. */
export interface Piece {
  readonly question: ExportQuestion;
  readonly part: number;
  readonly parts: number;
}

/** Column of a view and its type. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The question day by day, as far as its view can be put together from days. */
export function* daysOf(question: ExportQuestion): Generator<ExportQuestion> {
  const { window, view } = question;
  if (window === undefined || view.isWhole === true) {
    yield question;
    return;
  }
  let { fromS } = window;
  while (fromS < window.toS) {
    const toS = Math.min((Math.floor(fromS / DAY_S) + 1) * DAY_S, window.toS);
    yield { ...question, window: { fromS, toS } };
    fromS = toS;
  }
}

/** `FROM … WHERE …` of a piece. Names are of the list of views and of its columns, never free. */
export function fromOf({ question, part, parts }: Piece, columns: readonly Column[]): string {
  const { view, only, isPlaced } = question;
  const source = view.isWindowed === true
    ? `${view.name}(since = {since:String}, until = {until:String})` : view.name;
  const conditions = [
    ...[...only.keys()].map((column, n) => `${column} IN {only${n}:Array(String)}`),
    ...(view.isWindowed === true || view.time === undefined ? [] : [windowOf(view.time, columns)]),
    ...(isPlaced ? ['(latitude != 0 OR longitude != 0)'] : []),
    ...(parts > 1 ? [`cityHash64(${view.key}) % ${parts} = ${part}`] : []),
  ];
  return `FROM ${source} ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}`;
}

/** A window of days takes each day that it touches. */
function windowOf(time: string, columns: readonly Column[]): string {
  const [from, to] = ["toDateTime({fromS:UInt32}, 'UTC')", "toDateTime({toS:UInt32}, 'UTC')"];
  return columns.find(({ name }) => name === time)?.type === 'Date'
    ? `${time} BETWEEN toDate(${from}) AND toDate(${to} - 1)`
    : `${time} >= ${from} AND ${time} < ${to}`;
}

/** Values of the parameters that {@link fromOf} names. */
export function parametersOf({ window, only }: ExportQuestion): Record<string, unknown> {
  const at = (seconds: number): string => (
    new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  );
  return {
    ...Object.fromEntries([...only.values()].map((values, n) => [`only${n}`, values])),
    ...(window === undefined ? {} : {
      ...window, since: at(window.fromS), until: at(window.toS),
    }),
  };
}

/** How rows of a piece follow each other; of a track always the same. */
export function orderOf({ view }: ExportQuestion): string {
  return ['ORDER BY', [
    view.key, ...(view.time === undefined ? [] : [view.time]),
    ...(view.isTrack === true ? ['latitude', 'longitude'] : []),
  ].join(', ')].join(' ');
}

/**
 * All columns for a spreadsheet: text that it would take for a formula has an apostrophe in front.
 * Text in arrays and maps stands between braces and is none.
 */
export function unformulated(columns: readonly Column[]): string {
  const replaced = columns.filter(isText).map(({ name }) => (
    `if(match(${name}, '^[=+@\\\\t\\\\r\\\\n-]'), concat('\\'', ${name}), ${name}) AS ${name}`
  ));
  return replaced.length === 0 ? '*' : `* REPLACE (${replaced.join(', ')})`;
}

/** True for columns of text. */
export function isText({ type }: Column): boolean {
  return type === 'String' || type === 'LowCardinality(String)';
}
