import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expandMacros, panelQueries } from '../../support/grafana-panels.ts';
import { createAnalystData, type AnalystData } from './analyst-data.ts';

const DAY_S = 86_400;

let data: AnalystData;
beforeAll(async () => { data = await createAnalystData(); }, 60_000);
afterAll(() => data.history.drop());

describe('the dashboard of a fleet', () => {
  it.each(panelQueries('docs/analysts/grafana'))('shows rows in "$panel" to the analyst', async ({ sql }) => {
    const asked = expandMacros(sql, data.startTs, data.startTs + 2 * DAY_S);
    expect(asked).not.toContain('$__');
    expect((await data.history.analyst.query(asked)).length).toBeGreaterThan(0);
  });
});
