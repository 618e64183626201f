import type { ResultRow } from '../../../services/adapters/clickhouse/clickhouse.ts';
import type { AskerGroup, Recipe } from './cookbook.ts';

const ROWS = 3;
/** So many digits of a fraction as no order of adding changes. */
const DIGITS = 7;

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
  return [
    `# ${title}: expected rows`, '',
    'The first rows of each answer on the data of the test, which compares this page and writes it:',
    '`npx vitest run --config test/vitest.config.ts --root . test/integration/analysts/queries.test.ts -u`.',
    '', ...sections,
  ].join('\n');
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
