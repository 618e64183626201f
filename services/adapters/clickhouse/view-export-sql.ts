import type {
  ExportedColumn, ExportedView, ExportQuestion, ExportSlice, SliceForm,
} from '../../kernel/view-export.ts';
import { isTextColumn } from '../../kernel/view-export.ts';

const DAY_S = 86_400;
const FIXES = 'v_locations';

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

type Range = Pick<ExportSlice, 'provider' | 'keyFrom' | 'keyTo'>;

/** `FROM … WHERE …` of a slice. Names are of the list of views and of its columns, never free. */
export function fromOf(
  { view, only, isPlaced, atS }: ExportQuestion, range: Range, columns: readonly ExportedColumn[],
): string {
  const source = view.isWindowed === true
    ? `${view.name}(since = {since:String}, until = {until:String})` : view.name;
  const conditions = [
    ...[...only.keys()].map((column, n) => `${column} IN {only${n}:Array(String)}`),
    ...(view.isWindowed === true || view.time === undefined ? [] : [windowOf(view.time, columns)]),
    ...(isPlaced && view.geometry === 'point' ? ['(latitude != 0 OR longitude != 0)'] : []),
    ...(atS === undefined || !Array.isArray(view.geometry) ? [] : [
      `toDateTime({atS:UInt32}, 'UTC') BETWEEN ${view.geometry[0]}_ts AND ${view.geometry[1]}_ts`,
    ]),
    ...(range.provider === undefined ? [] : ['provider = {provider:String}']),
    ...rangeOf(view.key, range),
  ];
  return `FROM ${source} ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}`;
}

function rangeOf(key: string, { keyFrom, keyTo }: Range): readonly string[] {
  return [
    ...(keyFrom === undefined ? [] : [`${key} >= {keyFrom:String}`]),
    ...(keyTo === undefined ? [] : [`${key} < {keyTo:String}`]),
  ];
}

/** A window of days takes each day that it touches. */
function windowOf(time: string, columns: readonly ExportedColumn[]): string {
  const [from, to] = ["toDateTime({fromS:UInt32}, 'UTC')", "toDateTime({toS:UInt32}, 'UTC')"];
  return columns.find(({ name }) => name === time)?.type === 'Date'
    ? `${time} BETWEEN toDate(${from}) AND toDate(${to} - 1)`
    : `${time} >= ${from} AND ${time} < ${to}`;
}

/** Values of the parameters that {@link fromOf} names. */
export function parametersOf(
  { window, only, atS }: ExportQuestion, range: Range = {},
): Record<string, unknown> {
  const at = (seconds: number): string => (
    new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  );
  const { provider, keyFrom, keyTo } = range;
  return {
    ...Object.fromEntries([...only.values()].map((values, n) => [`only${n}`, values])),
    ...(window === undefined ? {} : {
      ...window, since: at(window.fromS), until: at(window.toS),
    }),
    ...(atS === undefined ? {} : { atS }),
    ...(provider === undefined ? {} : { provider }),
    ...(keyFrom === undefined ? {} : { keyFrom }),
    ...(keyTo === undefined ? {} : { keyTo }),
  };
}

/**
 * Where the ranges of the key begin, so that each has about `weightMax` fixes or rows. A range of
 * the key is read by the order of the tables; parts by a hash would each read the whole day.
 */
export function rangesOf(
  question: ExportQuestion, columns: readonly ExportedColumn[], isByProvider: boolean,
  weightMax: number,
): string {
  const { view: { key, fixesMax }, hasWays } = question;
  const weight = hasWays === true && fixesMax !== undefined ? `sum(${fixesMax})` : 'count()';
  const provider = isByProvider ? 'provider' : "''";
  return `SELECT toString(p) AS provider, toString(min(k)) AS first, sum(n) AS rows
    FROM (SELECT p, k, n, intDiv(sum(weight) OVER (PARTITION BY p ORDER BY k
                 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - weight, ${weightMax}) AS range
          FROM (SELECT ${provider} AS p, ${key} AS k, count() AS n, toUInt64(${weight}) AS weight
                ${fromOf(question, {}, columns)} GROUP BY p, k))
    GROUP BY p, range ORDER BY p, first`;
}

/** The whole statement of a slice. */
export function statementOf(
  question: ExportQuestion, range: Range, columns: readonly ExportedColumn[], form: StatementForm,
): string {
  // Conditions are asked within, of columns as they are: outside they keep their names.
  const rows = `SELECT * ${fromOf(question, range, columns)}`;
  const source = question.hasWays === true ? withWays(question, range, rows) : `(${rows})`;
  return `SELECT ${shownOf(question, columns, form)} FROM ${source} ${orderOf(question)}`;
}

/** How a statement shows its rows: as JSON, or in the form of a file. */
export type StatementForm = SliceForm | 'json';

function shownOf(
  { view, hasWays }: ExportQuestion, columns: readonly ExportedColumn[], form: StatementForm,
): string {
  if (form === 'csv' || form === 'csv-rows') return unformulated(columns);
  if (form !== 'geoparquet') return '*';
  if (view.geometry === 'point') {
    return "*, CAST((assumeNotNull(longitude), assumeNotNull(latitude)), 'Point') AS geometry";
  }
  return hasWays === true ? "* EXCEPT (path), CAST(path, 'LineString') AS geometry" : '*';
}

/**
 * Rows with the places of the fixes between their two times. Where there are none, as when the
 * fixes are older than they are kept, the way goes from one end to the other.
 */
function withWays({ view }: ExportQuestion, range: Range, rows: string): string {
  const [from, to] = endsOf(view);
  const { key } = view;
  const placed = [
    `ts >= (SELECT min(${from}_ts) FROM legs)`, `ts <= (SELECT max(${to}_ts) FROM legs)`,
    '(latitude != 0 OR longitude != 0)', ...rangeOf(key, range),
  ].join(' AND ');
  const end = (name: string): string => `(legs.${name}_longitude, legs.${name}_latitude)`;
  return `(WITH legs AS (${rows})
    SELECT legs.*,
           if(length(ways.path) > 1, ways.path, [${end(from)}, ${end(to)}]) AS path
    FROM legs LEFT JOIN (
      SELECT ${key}, start,
             arrayMap(fix -> (fix.2, fix.3), arraySort(groupArray((ts, longitude, latitude)))) AS path
      FROM (SELECT f.${key} AS ${key}, f.ts AS ts, f.longitude AS longitude,
                   f.latitude AS latitude, s.start AS start
            FROM (SELECT ${key}, ts, longitude, latitude FROM ${FIXES} WHERE ${placed}) AS f
            ASOF INNER JOIN (SELECT ${key}, ${from}_ts AS start, ${to}_ts AS end FROM legs) AS s
            ON f.${key} = s.${key} AND f.ts >= s.start
            WHERE f.ts <= s.end)
      GROUP BY ${key}, start
    ) AS ways ON legs.${key} = ways.${key} AND legs.${from}_ts = ways.start)`;
}

function endsOf({ geometry }: ExportedView): readonly [string, string] {
  return typeof geometry === 'object' ? geometry : ['', ''];
}

/** How rows of a slice follow each other; of a track always the same. */
function orderOf({ view }: ExportQuestion): string {
  return ['ORDER BY', [
    view.key, ...(view.time === undefined ? [] : [view.time]),
    ...(view.isTrack === true ? ['latitude', 'longitude'] : []),
  ].join(', ')].join(' ');
}

/**
 * All columns for a spreadsheet: text that it would take for a formula has an apostrophe in front.
 * Text in arrays and maps stands between braces and is none.
 */
function unformulated(columns: readonly ExportedColumn[]): string {
  const replaced = columns.filter(isTextColumn).map(({ name }) => (
    `if(match(${name}, '^[=+@\\\\t\\\\r\\\\n-]'), concat('\\'', ${name}), ${name}) AS ${name}`
  ));
  return replaced.length === 0 ? '*' : `* REPLACE (${replaced.join(', ')})`;
}
