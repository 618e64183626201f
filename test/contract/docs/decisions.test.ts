import { readFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTitles } from '../../../scripts/rows/titles.ts';
import { readTables, type TableRow } from './page-tables.ts';

const HEAD = ['Point', 'Decision', 'Rows', 'Tests'];
const NOTHING = '—';
const UNTESTED = ['not built yet', 'no test yet'];

interface Decision {
  readonly name: string;
  readonly rows: readonly string[];
  readonly tests: string;
  readonly links: readonly string[];
}

const decisions = readTables('decisions.md', HEAD).map(decisionOf);
const contractRows = readTables('contract-rows.md', ['id', 'statement', 'from']);
const known = new Set(contractRows.map(({ cells }) => cells[0]));
const filesOfRow = new Map<string, Set<string>>();
for (const { ids, writtenAt } of readTitles(process.cwd())) {
  for (const id of ids) {
    const files = filesOfRow.get(id) ?? new Set();
    filesOfRow.set(id, files.add(writtenAt.replace(/:\d+$/, '')));
  }
}

function decisionOf({ at, cells }: TableRow): Decision {
  const [point = '', , rows = '', tests = ''] = cells;
  return {
    name: `docs/decisions.md:${at} "${point}" (${cells.length} cells)`,
    rows: rows === NOTHING ? [] : rows.split(', '),
    tests,
    links: [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link),
  };
}

function carriersOf({ rows }: Decision): string[] {
  return [...new Set(rows.flatMap((id) => [...filesOfRow.get(id) ?? []]))].sort();
}

/** What the cell should be by the titles of today; shown where it is not. */
function cellFor(decision: Decision): string {
  const links = carriersOf(decision).map((file) => {
    const name = `${basename(dirname(file))}/${basename(file).replace(/(\.test)?\.ts$/, '')}`;
    return `[${name}](../${file})`;
  });
  if (decision.rows.length === 0) return NOTHING;
  return links.length === 0 ? UNTESTED.join(' or ') : links.join(', ');
}

describe('docs/decisions.md', () => {
  it('is read whole: as many decisions as the page has, four cells each', () => {
    const lines = readFileSync('docs/decisions.md', 'utf8').split('\n');
    const heads = lines.filter((line) => line === `| ${HEAD.join(' | ')} |`).length;
    const tableLines = lines.filter((line) => line.startsWith('|')).length;
    expect(heads).toBeGreaterThanOrEqual(4);
    expect(decisions).toHaveLength(tableLines - 2 * heads);
    expect(decisions.filter(({ name }) => !name.endsWith('(4 cells)'))).toEqual([]);
  });

  it('names only rows that the contract list has', () => {
    const strays = decisions.flatMap(({ name, rows }) => (
      rows.filter((id) => !known.has(id)).map((id) => `${name} names ${id}`)
    ));
    expect(strays).toEqual([]);
  });

  it('names every row of the contract list that comes from a decision', () => {
    const named = new Set(decisions.flatMap(({ rows }) => rows));
    const owed = contractRows.filter(({ cells }) => cells[2]?.includes('decisions'));
    expect(owed.length).toBeGreaterThan(150);
    expect(owed.map(({ cells }) => cells[0] ?? '').filter((id) => !named.has(id))).toEqual([]);
  });

  it('links only to tests with a title that carries a row of the decision', () => {
    const idle = decisions.flatMap((decision) => {
      const carriers = carriersOf(decision);
      return decision.links
        .filter((link) => !carriers.includes(posix.join('docs', link)))
        .map((link) => `${decision.name} links to ${link}; its tests: ${cellFor(decision)}`);
    });
    expect(idle).toEqual([]);
  });

  it('says that there is no test only while no title carries a row of the decision', () => {
    const wrong = decisions
      .filter((decision) => decision.links.length === 0)
      .filter((decision) => !cellFor(decision).split(' or ').includes(decision.tests))
      .map((decision) => `${decision.name} says "${decision.tests}"; right: ${cellFor(decision)}`);
    expect(wrong).toEqual([]);
  });
});
