import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { panelQueries } from '../../support/grafana-panels.ts';
import { MORE_QUESTIONS } from '../../scale/more-questions.ts';
import { pageOf } from '../../scale/page.ts';
import { progressOf } from '../../scale/progress.ts';
import { COOKBOOK_BUDGETS, MAY_BE_EMPTY } from '../../scale/questions.ts';
import { isWithinBudget } from '../../scale/run-scale.ts';
import { PANEL_BUDGETS, unasked, VIEW_QUESTIONS } from '../../scale/view-questions.ts';

const MIGRATIONS = join(process.cwd(), 'infra', 'clickhouse');
const DASHBOARDS = join(process.cwd(), 'docs', 'analysts', 'grafana');
const QUERIES = join(process.cwd(), 'docs', 'queries');
const BUDGET = { seconds: 1, megaRows: 10 };
const COST = { seconds: 1, megaRows: 10, megaBytes: 1, memoryMegaBytes: 1, answeredRows: 1 };

/** Names of files of a folder that end so. */
const filesIn = (folder: string, end: string): readonly string[] => (
  readdirSync(folder).filter((name) => name.endsWith(end))
);

describe('the gate at size', () => {
  it('reports how much of a step is done and how long the rest takes', () => {
    const lines: string[] = [];
    let nowMs = 0;
    const say = progressOf((line) => { lines.push(line); }, 4, 'days are in', () => nowMs);
    nowMs = 120_000;
    say(1);
    nowMs = 480_000;
    say(4);
    expect(lines).toEqual(['1 of 4 days are in, 6 min left', '4 of 4 days are in']);
  });

  it('has a budget for each file of the cookbook and each further question', () => {
    const names = filesIn(QUERIES, '.sql').map((name) => name.slice(0, -'.sql'.length));
    expect(Object.keys(COOKBOOK_BUDGETS).toSorted()).toEqual(names.toSorted());
    const further = [...MORE_QUESTIONS, ...VIEW_QUESTIONS];
    expect(new Set(further.map(({ name }) => name)).size).toBe(further.length);
    expect(further.every(({ budget }) => budget !== undefined)).toBe(true);
  });

  it('asks every view and gives one that is not asked no budget', () => {
    const views = filesIn(MIGRATIONS, '.sql').flatMap((name) => (
      readFileSync(join(MIGRATIONS, name), 'utf8').match(/(?<=^CREATE VIEW IF NOT EXISTS )v_\w+/gm) ?? []
    ));
    expect(views.length).toBeGreaterThan(40);
    const cookbook = filesIn(QUERIES, '.sql').map((name) => ({
      name, budget: BUDGET, sql: readFileSync(join(QUERIES, name), 'utf8'),
    }));
    const asked = [...cookbook, ...MORE_QUESTIONS, ...VIEW_QUESTIONS];
    expect(unasked(views, asked)).toEqual([]);
    expect(unasked(['v_new'], asked)).toEqual([
      { name: 'view v_new', budget: undefined, sql: 'SELECT * FROM v_new LIMIT 1' },
    ]);
  });

  it('has a budget for each panel of the dashboards', () => {
    expect(panelQueries(DASHBOARDS).map(({ dashboard, panel }) => `${dashboard}: ${panel}`).toSorted())
      .toEqual(Object.keys(PANEL_BUDGETS).toSorted());
  });

  it.each([
    ['passes at its budget', BUDGET, COST, true],
    ['fails above the seconds', BUDGET, { ...COST, seconds: 1.01 }, false],
    ['fails above the rows', BUDGET, { ...COST, megaRows: 10.1 }, false],
    ['fails without a budget', undefined, COST, false],
    ['fails without an answer', BUDGET, { ...COST, answeredRows: 0 }, false],
  ])('a question %s', (_title, budget, cost, isWithin) => {
    expect(isWithinBudget('a question', budget, { ok: true, cost })).toBe(isWithin);
  });

  it('fails with an error, and lets a question be empty for a reason alone', () => {
    expect(isWithinBudget('a question', BUDGET, { ok: false, reason: 'too long' })).toBe(false);
    for (const [name, reason] of Object.entries(MAY_BE_EMPTY)) {
      expect(reason.length).toBeGreaterThan(20);
      const answered = { ok: true, cost: { ...COST, answeredRows: 0 } } as const;
      expect(isWithinBudget(name, BUDGET, answered)).toBe(true);
    }
  });

  it('says in its page what the tables hold and how many rows each answer has', () => {
    const page = pageOf({
      fleet: { devices: 10, days: 30, firstDay: 20_000 }, examples: {}, views: [],
      tables: [{ table: 'locations', rows: 504_000 }, { table: 'dead_letters', rows: 7 }],
      rows: [{
        name: 'a question', budget: BUDGET, isWithin: true,
        answered: { ok: true, cost: { ...COST, answeredRows: 42 } },
      }],
    }, 'npm run scale', 'abc', '2 cores');
    expect(page).toContain('| `locations` | 504,000 |');
    expect(page).toContain('| a question | 42 | 1.00 | 1 | 10.0 | 10 | 1 | 1 | ok |');
  });
});
