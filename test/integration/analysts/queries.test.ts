import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerPage } from './answer-page.ts';
import { createCookbook, FOLDER, groupsOf, NAMES, sqlOf, type Cookbook } from './cookbook.ts';

const list = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const groups = groupsOf(list);

let cookbook: Cookbook;
beforeAll(async () => { cookbook = await createCookbook(); }, 300_000);
afterAll(() => cookbook.drop());

describe('the cookbook of queries', () => {
  it('has at least 60 queries, each with an expectation and a line in the list', () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(60);
    expect([...cookbook.recipes.keys()].toSorted()).toEqual(NAMES.toSorted());
    expect(groups.flatMap(({ questions }) => questions.map(([name]) => name)).toSorted())
      .toEqual(NAMES.toSorted());
    expect(readFileSync('README.md', 'utf8')).toContain(`[${NAMES.length} queries](docs/queries/`);
  });

  it.each(NAMES)('answers %s', async (name) => {
    const recipe = cookbook.recipes.get(name);
    const rows = await recipe?.ask() ?? [];
    expect(rows).not.toEqual([]);
    recipe?.expectation.check(rows);
  });

  it.each(groups)('shows the first rows of the answers for $title in $page', async (group) => {
    expect(list).toContain(`(${group.page})`);
    await expect(await answerPage(group, cookbook.recipes))
      .toMatchFileSnapshot(join(FOLDER, group.page));
  }, 120_000);

  it.each(NAMES)('says in the head of %s what is asked, how, and what comes out', (name) => {
    const [head = '', body = ''] = sqlOf(name).split(/^(?=SELECT)/m);
    expect(head).toMatch(/^-- [A-Z][^]*\?\n-- Parameters: [^]+\.\n-- Comes out: [^]+\.\n$/);
    const [title = ''] = head.slice('-- '.length).split('\n-- Parameters:');
    expect(groups.flatMap(({ questions }) => questions))
      .toContainEqual([name, title.replaceAll('\n-- ', ' ').replaceAll(/ +/g, ' ')]);
    for (const [, parameter = ''] of body.matchAll(/\{(\w+):/g)) {
      expect(head).toContain(parameter);
    }
    expect(body).toMatch(/ORDER BY/);
  });
});
