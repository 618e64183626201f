import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readViews } from '../../../scripts/generate-dictionary/views.ts';
import { createHistory, type History } from '../clickhouse/history.ts';

const { views, retention } = readViews(join(process.cwd(), 'infra', 'clickhouse'));
const TIMES = new Map([
  ['since', "'2026-01-01 00:00:00'"], ['until', "'2026-01-02 00:00:00'"], ['transport', '7'],
  ['from_day', "'2026-01-01'"], ['to_day', "'2026-01-02'"], ['at', "'2026-01-01 00:00:00'"],
]);
const UNIT = /degree|meter|celsius|second|percent|liter|revolution|kilowatt|gram|per 100|as sent/i;
// Dates are in UTC by their type; their comments say how fine they are.
const NEEDS_UNIT = /Float|DateTime64|Int.*_s$/;

// Of views with parameters the engine shows computed types, where a difference has a sign.
const plain = ({ name, type }: { name?: unknown; type?: unknown }) => (
  [name, String(type).replace('UInt64', 'Int64')]
);

// A row for each topic that there ever was, and three for each device.
const FOR_EVER = [
  'notification_topics', 'device_lifecycle', 'table_backups', 'time_zone_releases',
  'time_zone_runs', 'time_zone_clocks', 'time_zone_countries',
];

let history: History;
beforeAll(async () => { history = await createHistory({ asInProduction: true }); });
afterAll(() => history.drop());

describe('what ClickHouse says of the views', () => {
  it('is what the dictionary says, seen by the analyst', async () => {
    const rows = await history.analyst.query(
      `SELECT table, groupArray((name, type, comment)) AS columns
       FROM (SELECT * FROM system.columns WHERE database = {database:String} ORDER BY position)
       WHERE startsWith(table, 'v_') GROUP BY table`, { database: history.database },
    );
    const columns = new Map(rows.map(({ table, columns: all }) => [String(table), all]));
    const answer = await history.analyst.query(
      `SELECT name, comment, create_table_query AS text FROM system.tables
       WHERE database = {database:String} AND startsWith(name, 'v_')`,
      { database: history.database },
    );
    const names = (all: readonly { name?: unknown }[]) => all.map(({ name }) => name).toSorted();
    expect(names(answer)).toEqual(names(views));
    expect(views.length).toBeGreaterThan(25);
    for (const view of views) {
      const shown = answer.find(({ name }) => name === view.name);
      expect(shown).toMatchObject({ comment: view.comment });
      if (view.parameters.length === 0) {
        expect(columns.get(view.name), view.name)
          .toEqual(view.columns.map(({ name, type, comment }) => [name, type, comment]));
        continue;
      }
      const given = view.parameters.map((one) => one.slice(0, one.indexOf(' ')))
        .map((name) => `${name} = ${TIMES.get(name) ?? '1.5'}`);
      const described = await history.analyst.query(
        `DESCRIBE (SELECT * FROM ${view.name}(${given.join(', ')}))`,
      );
      expect(described.map(plain), view.name).toEqual(view.columns.map(plain));
      for (const { name, comment } of view.columns) {
        expect(String(shown?.['text']), `${view.name}.${name}`).toContain(comment.replaceAll("'", "\\'"));
      }
    }
  }, 120_000);

  it('gives every view and every column a comment, and what is measured a unit', () => {
    for (const { name: view, comment, columns } of views) {
      expect(comment, view).toMatch(/.\.$/);
      for (const { name, type, comment: words } of columns) {
        expect(words, `${view}.${name}`).toMatch(/.\.$/);
        if (NEEDS_UNIT.test(`${type} ${name}`)) expect(words, `${view}.${name}`).toMatch(UNIT);
      }
    }
  });

  it('keeps the rows of every table as long as the dictionary says', async () => {
    const rows = await history.admin.query(
      `SELECT name, create_table_query AS text FROM system.tables
       WHERE database = {database:String} AND engine LIKE '%MergeTree'
         AND name != 'schema_migrations'`, { database: history.database },
    );
    expect(rows.map(({ name }) => name).toSorted())
      .toEqual(retention.map(({ table }) => table).toSorted());
    for (const { name, text } of rows) {
      const kept = retention.find(({ table }) => table === name);
      const isForEver = FOR_EVER.includes(String(name));
      expect(kept?.days === 0, String(name)).toBe(isForEver);
      if (isForEver) expect(String(text), String(name)).not.toContain('TTL');
      else expect(String(text), String(name)).toContain(`toIntervalDay(${kept?.days ?? 0}) `);
    }
  });
});
