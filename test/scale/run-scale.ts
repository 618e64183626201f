import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStack } from '../../infra/local/stack.ts';
import { ask, type QueryTry, type Asker } from './ask.ts';
import { filled } from './filled.ts';
import type { ScaleFleet } from './fleet-sql.ts';
import { MORE_QUESTIONS } from './more-questions.ts';
import { COOKBOOK_BUDGETS, parametersOf, type Budget, type Question } from './questions.ts';

/** What is measured, and where its tables are kept between runs. */
export interface ScaleOptions {
  readonly rows: number;
  readonly dir: string;
  readonly cacheDir: string;
  /** Names of questions; empty for all. */
  readonly only: readonly string[];
  readonly leaving: AbortSignal;
  readonly print: (line: string) => void;
}

/** How one question went, and what its budget says of it. */
export interface ScaleRow {
  readonly name: string;
  readonly budget: Budget | undefined;
  readonly answered: QueryTry;
  readonly isWithin: boolean;
}

/** All rows, and what they were asked of. */
export interface ScaleResult {
  readonly fleet: ScaleFleet;
  readonly rows: readonly ScaleRow[];
}

const QUERIES = join(import.meta.dirname, '..', '..', 'docs', 'queries');
const HEAD = /^(--.*\n)*/;
const DATABASE = 'tracking';

/** Fills the tables once for each size, then asks every question twice; the better try counts. */
export async function runScale(options: ScaleOptions): Promise<ScaleResult> {
  const { dir, cacheDir, only, leaving, print } = options;
  const stack = await startStack({
    dataDir: dir, cacheDir, ports: 'free', parts: ['clickhouse'], env: {}, log: () => undefined,
  });
  try {
    const { CLICKHOUSE_URL: url, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD } = stack.env;
    const asAdmin = {
      url, user: CLICKHOUSE_USER, password: CLICKHOUSE_PASSWORD, database: DATABASE,
    };
    const fleet = await filled(options, asAdmin);
    const analyst = {
      url, user: stack.env.ANALYST_USER, password: stack.env.ANALYST_PASSWORD, database: DATABASE,
    };
    const rows: ScaleRow[] = [];
    for (const question of questions()) {
      if (leaving.aborted) break;
      if (only.length > 0 && !only.includes(question.name)) continue;
      const row = await assessed(analyst, question, spansOf(fleet));
      rows.push(row);
      print(lineOf(row));
    }
    return { fleet, rows };
  } finally {
    await stack.stop();
  }
}

function questions(): readonly Question[] {
  const files = readdirSync(QUERIES).filter((name) => name.endsWith('.sql')).sort();
  return [
    ...files.map((file): Question => {
      const name = file.slice(0, -'.sql'.length);
      return {
        name, budget: COOKBOOK_BUDGETS[name],
        sql: readFileSync(join(QUERIES, file), 'utf8').replace(HEAD, ''),
      };
    }),
    ...MORE_QUESTIONS,
  ];
}

function spansOf(fleet: ScaleFleet): Readonly<Record<string, string>> {
  const text = (seconds: number): string => (
    new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  );
  const noonS = (fleet.firstDay + fleet.days - 2) * 86_400 + 43_200;
  return {
    ...parametersOf(fleet), month: text(fleet.firstDay * 86_400), noon: text(noonS),
    five_past: text(noonS + 300), one: text(noonS + 3_600),
  };
}

async function assessed(
  analyst: Asker, { name, sql, budget }: Question, values: Readonly<Record<string, string>>,
): Promise<ScaleRow> {
  const tries = [await ask(analyst, sql, values), await ask(analyst, sql, values)];
  const answered = tries.toSorted((one, other) => secondsOf(one) - secondsOf(other))[0];
  if (answered === undefined) throw new Error('No try was made.');
  const isWithin = answered.ok && budget !== undefined
    && answered.cost.seconds <= budget.seconds && answered.cost.megaRows <= budget.megaRows;
  return { name, budget, answered, isWithin };
}

function secondsOf(answered: QueryTry): number {
  return answered.ok ? answered.cost.seconds : Infinity;
}

/** One line for the terminal. */
export function lineOf({ name, budget, answered, isWithin }: ScaleRow): string {
  const allowed = budget === undefined
    ? 'no budget' : `budget ${budget.seconds} s, ${budget.megaRows} M rows`;
  const sign = isWithin ? 'ok  ' : 'FAIL';
  if (!answered.ok) return `${sign} ${name}: ${answered.reason}`;
  const { seconds, megaRows, megaBytes, memoryMegaBytes } = answered.cost;
  return `${sign} ${name}: ${seconds.toFixed(2)} s, ${megaRows.toFixed(1)} M rows, `
    + `${megaBytes.toFixed(0)} MB read, ${memoryMegaBytes.toFixed(0)} MB of memory (${allowed})`;
}
