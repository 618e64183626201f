import type { ResultRow } from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { AskerGroup, Recipe } from './cookbook.ts';
import { START_TS } from './tracks.ts';

const ROWS = 3;
/** So many digits of a fraction as no order of adding changes. */
const DIGITS = 7;

/** The day that pages show for the first day of the data, which is three days ago. */
const SHOWN_START_MS = Date.parse('2025-11-24T00:00:00Z');

const DAY_MS = 86_400_000;
/** What the data have around their first day is at most so many days away from it. */
const MOVED_DAYS_MAX = 30;
/** From the first day to the fix that is too old. */
const TOO_OLD_DAYS = -500;

/** The page of one group: each question with its parameters and the first rows of its answer. */
export async function answerPage(
  { title, questions }: AskerGroup, recipes: ReadonlyMap<string, Recipe>,
): Promise<string> {
  const sections: string[] = [];
  for (const [name, question] of questions) {
    const recipe = recipes.get(name);
    if (recipe === undefined) throw new Error(`no recipe ${name}`);
    sections.push(sectionOf(question, recipe, await recipe.ask()));
  }
  return withShownDays([
    `# ${title}: expected rows`, '',
    'The first rows of each answer on the data of the test, which compares this page and writes it:',
    '`npx vitest run --config test/vitest.config.ts --root . test/integration/analysts/queries.test.ts -u`.',
    '', ...sections,
  ].join('\n'));
}

/**
 * The same text whatever day it is: a day is as far from the first one as in the data. Days that
 * the data have whatever day it is are far from the first one, and stay.
 */
function withShownDays(text: string): string {
  const startMs = START_TS * 1_000;
  return text.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, (day) => {
    const days = (Date.parse(day) - startMs) / DAY_MS;
    if (Math.abs(days) > MOVED_DAYS_MAX && days !== TOO_OLD_DAYS) return day;
    return new Date(SHOWN_START_MS + days * DAY_MS).toISOString().slice(0, day.length);
  });
}

function sectionOf(
  question: string, { name, expectation }: Recipe, rows: readonly ResultRow[],
): string {
  const given = Object.entries(expectation.parameters)
    .map(([parameter, value]) => `\`${parameter}\` = \`${value}\``).join(', ');
  const columns = Object.keys(rows[0] ?? {});
  return [
    `## ${question}`, '',
    `[${name}](${name}.sql)${given === '' ? '' : ` with ${given}`}; ${countOf(rows.length)}:`, '',
    rowOf(columns), rowOf(columns.map(() => '---')),
    ...rows.slice(0, ROWS).map((row) => rowOf(columns.map((column) => shown(row[column])))), '',
  ].join('\n');
}

function countOf(rows: number): string {
  if (rows > ROWS) return `the first ${ROWS} of ${rows} rows`;
  return rows === 1 ? 'the only row' : `all ${rows} rows`;
}

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function shown(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '' || /^-?\d+$/.test(text)) return text;
  return `\`${text.replaceAll('|', '\\|')}\``;
}
