import { describe, expect, it } from 'vitest';
import { parseContract, readContract } from '../../../scripts/rows/contract.ts';
import { coverOf, missingRows } from '../../../scripts/rows/cover.ts';
import { titlesOf } from '../../../scripts/rows/titles.ts';

const page = [
  '## CAT: Cats',
  '| id | statement | from |',
  '|---|---|---|',
  '| CAT-01 | A cat purrs. | Cats |',
  '| CAT-02 | A cat \\| dog fight is answered with 400. | Cats |',
  '| DOG-01 | A dog barks. | Dogs |',
  '',
].join('\n');

const idsIn = (source: string): string[] =>
  titlesOf('test/a.test.ts', source).flatMap((title) => [...title.ids]);

describe('the contract list', () => {
  it('has 318 rows or more, each once, in its thirteen areas', () => {
    const rows = readContract(process.cwd());
    expect(rows.length).toBeGreaterThanOrEqual(318);
    expect(new Set(rows.map((row) => row.area)).size).toBe(13);
  });

  it('is read row by row, bars in a statement included', () => {
    expect(parseContract(page).map((row) => row.id)).toEqual(['CAT-01', 'CAT-02', 'DOG-01']);
  });

  it('refuses an id that is listed twice', () => {
    expect(() => parseContract(page + page)).toThrow('CAT-01 is listed twice');
  });
});

describe('titles that pin rows', () => {
  it.each([
    ['a plain title', "it('[CAT-01] purrs', () => {});", ['CAT-01']],
    ['several ids apart', "test('[CAT-01] [CAT-02] purrs', () => {});", ['CAT-01', 'CAT-02']],
    ['several ids together', "it('[CAT-01, DOG-01] purrs', () => {});", ['CAT-01', 'DOG-01']],
    ['a describe', "describe('[CAT-02] fights', () => { it('bites', () => {}); });", ['CAT-02']],
    ['a test inside a describe', "describe('a', () => { it('[CAT-01] b', () => {}); });", ['CAT-01']],
    ['the rows of an each', "it.each([['[CAT-01] a', 1], ['[CAT-02] b', 2]])('%s', f);", [
      'CAT-01',
      'CAT-02',
    ]],
    ['the title of an each', "it.each([1, 2])('[DOG-01] barks %i times', f);", ['DOG-01']],
    ['a table made before', "const t = [{ title: '[CAT-01] a' }];\nit.each(t)('$title', f);", [
      'CAT-01',
    ]],
    ['a template', 'for (const n of a) it(`[CAT-01] purrs ${n} times`, f);', ['CAT-01']],
  ])('are found in %s', (_, source, ids) => {
    expect(idsIn(source)).toEqual(ids);
  });

  it.each([
    ['a comment', "// it('[CAT-01] purrs', () => {});"],
    ['a text elsewhere', "const note = '[CAT-01] purrs';"],
    ['the body of a test', "it('purrs', () => { send('[CAT-01] a'); });"],
    ['the middle of a title', "it('purrs as in [CAT-01]', () => {});"],
  ])('are not found in %s', (_, source) => {
    expect(idsIn(source)).toEqual([]);
  });
});

describe('the cover', () => {
  const titles = titlesOf('test/a.test.ts', "it('[CAT-01] [COW-09] purrs', () => {});");
  const cover = coverOf(parseContract(page), titles);

  it('names the rows of an area that no test pins', () => {
    expect(missingRows(cover, ['CAT']).map((row) => row.id)).toEqual(['CAT-02']);
    expect(missingRows(cover, []).map((row) => row.id)).toEqual(['CAT-02', 'DOG-01']);
  });

  it('names titles that pin a row which is not in the list', () => {
    expect(cover.strays.map((stray) => stray.id)).toEqual(['COW-09']);
  });
});
