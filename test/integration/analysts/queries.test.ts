import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allExpectations } from './more-expectations.ts';
import { createAnalystData, type AnalystData } from './analyst-data.ts';

const FOLDER = join(process.cwd(), 'docs', 'queries');
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'))
  .map((name) => name.slice(0, -'.sql'.length));
const sqlOf = (name: string): string => readFileSync(join(FOLDER, `${name}.sql`), 'utf8');

let data: AnalystData;
beforeAll(async () => { data = await createAnalystData(); }, 240_000);
afterAll(() => data.history.drop());

describe('the cookbook of queries', () => {
  it('has at least 25 queries, each with an expectation and a line in the list', () => {
    expect(names.length).toBeGreaterThanOrEqual(25);
    expect(Object.keys(allExpectations(data)).toSorted()).toEqual(names.toSorted());
    const list = readFileSync(join(FOLDER, 'README.md'), 'utf8');
    expect([...list.matchAll(/\[[^\]]+\]\((.+)\.sql\)/g)].map(([, name]) => name).toSorted())
      .toEqual(names.toSorted());
  });

  it.each(names)('answers %s', async (name) => {
    const expectation = allExpectations(data)[name];
    expectation?.check(await data.history.analyst.query(sqlOf(name), expectation.parameters));
    expect.hasAssertions();
  });

  it.each(names)('says in the head of %s what is asked, how, and what comes out', (name) => {
    const [head = '', body = ''] = sqlOf(name).split(/^(?=SELECT)/m);
    expect(head).toMatch(/^-- [A-Z][^]*\?\n-- Parameters: [^]+\.\n-- Comes out: [^]+\.\n$/);
    for (const [, parameter = ''] of body.matchAll(/\{(\w+):/g)) {
      expect(head).toContain(parameter);
    }
    expect(body).toMatch(/ORDER BY/);
  });
});
