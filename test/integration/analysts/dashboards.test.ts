import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAnalystData, type AnalystData } from './analyst-data.ts';

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly rawSql: string }[];
}

const { panels } = JSON.parse(readFileSync('docs/analysts/grafana/fleet.json', 'utf8')) as {
  readonly panels: readonly Panel[];
};
const DAY_S = 86_400;

let data: AnalystData;
beforeAll(async () => { data = await createAnalystData(); }, 60_000);
afterAll(() => data.history.drop());

/** The macros of the plugin, as its documentation defines them. */
function expanded(sql: string, fromS: number, toS: number): string {
  const at = (seconds: number): string => `toDateTime(${seconds})`;
  return sql
    .replaceAll(/\$__timeFilter\((\w+)\)/g, (_all, column: string) => (
      `${column} >= ${at(fromS)} AND ${column} <= ${at(toS)}`
    ))
    .replaceAll('$__fromTime', at(fromS)).replaceAll('$__toTime', at(toS))
    .replaceAll('$__from', String(fromS * 1_000)).replaceAll('$__to', String(toS * 1_000));
}

describe('the dashboard of a fleet', () => {
  it.each(panels)('shows rows in "$title" to the analyst', async ({ targets }) => {
    for (const { rawSql } of targets) {
      const sql = expanded(rawSql, data.startTs, data.startTs + 2 * DAY_S);
      expect(sql).not.toContain('$__');
      expect((await data.history.analyst.query(sql)).length).toBeGreaterThan(0);
    }
  });
});
