import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStack } from '../../infra/local/stack.ts';
import { ask, type QueryTry, type Asker } from './ask.ts';
import { filled } from './filled.ts';
import { MORE_QUESTIONS } from './more-questions.ts';
import {
  COOKBOOK_BUDGETS, MAY_BE_EMPTY, parametersOf, type Budget, type Question,
} from './questions.ts';
import type { ToAsk } from './to-ask.ts';
import { panelQuestions, unasked, VIEW_QUESTIONS } from './view-questions.ts';

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
  /** Whether it has an answer, within its budget. */
  readonly isWithin: boolean;
}

/** All rows, and what they were asked of. */
export interface ScaleResult extends ToAsk {
  readonly rows: readonly ScaleRow[];
}

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const QUERIES = join(DOCS, 'queries');
const HEAD = /^(--.*\n)*/;
const DATABASE = 'tracking';
const DAY_S = 86_400;

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
    const toAsk = await filled(options, asAdmin);
    const analyst = {
      url, user: stack.env.ANALYST_USER, password: stack.env.ANALYST_PASSWORD, database: DATABASE,
    };
    const rows: ScaleRow[] = [];
    for (const question of questions(toAsk)) {
      if (leaving.aborted) break;
      if (only.length > 0 && !only.includes(question.name)) continue;
      const row = await assessed(analyst, question, spansOf(toAsk));
      rows.push(row);
      print(lineOf(row));
    }
    return { ...toAsk, rows };
  } finally {
    await stack.stop();
  }
}

/** The cookbook, further questions, every view and every panel. */
function questions({ fleet, views }: ToAsk): readonly Question[] {
  const files = readdirSync(QUERIES).filter((name) => name.endsWith('.sql')).sort();
  const asked = [
    ...files.map((file): Question => {
      const name = file.slice(0, -'.sql'.length);
      return {
        name, budget: COOKBOOK_BUDGETS[name],
        sql: readFileSync(join(QUERIES, file), 'utf8').replace(HEAD, ''),
      };
    }),
    ...MORE_QUESTIONS, ...VIEW_QUESTIONS,
  ];
  return [
    ...asked, ...unasked(views, asked),
    ...panelQuestions(join(DOCS, 'analysts', 'grafana'), (fleet.firstDay + fleet.days - 1) * DAY_S),
  ];
}

function spansOf({ fleet, examples }: ToAsk): Readonly<Record<string, string>> {
  const text = (seconds: number): string => (
    new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  );
  const noonS = (fleet.firstDay + fleet.days - 2) * DAY_S + 43_200;
  return {
    ...parametersOf(fleet, examples), month: text(fleet.firstDay * DAY_S), noon: text(noonS),
    five_past: text(noonS + 300), one: text(noonS + 3_600),
  };
}

async function assessed(
  analyst: Asker, { name, sql, budget }: Question, values: Readonly<Record<string, string>>,
): Promise<ScaleRow> {
  const tries = [await ask(analyst, sql, values), await ask(analyst, sql, values)];
  const answered = tries.toSorted((one, other) => secondsOf(one) - secondsOf(other))[0];
  if (answered === undefined) throw new Error('No try was made.');
  return { name, budget, answered, isWithin: isWithinBudget(name, budget, answered) };
}

/** Whether a question has an answer, or may have none, and took no more than its budget. */
export function isWithinBudget(
  name: string, budget: Budget | undefined, answered: QueryTry,
): boolean {
  return answered.ok && budget !== undefined
    && (answered.cost.answeredRows > 0 || MAY_BE_EMPTY[name] !== undefined)
    && answered.cost.seconds <= budget.seconds && answered.cost.megaRows <= budget.megaRows;
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
  const { seconds, megaRows, megaBytes, memoryMegaBytes, answeredRows } = answered.cost;
  return `${sign} ${name}: ${answeredRows} rows in ${seconds.toFixed(2)} s, ${megaRows.toFixed(1)} M rows, `
    + `${megaBytes.toFixed(0)} MB read, ${memoryMegaBytes.toFixed(0)} MB of memory (${allowed})`;
}
