import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTitles } from '../../../scripts/rows/titles.ts';
import { readTables } from './page-tables.ts';

const INDEX_HEAD = ['Page', 'Decisions', 'About'];
const NOTHING = '—';
const UNTESTED = ['not built yet', 'no test yet'];
/** All decisions of the contract's gaps: none may get lost when pages are divided again. */
const DECISIONS_MIN = 85;

interface Decision {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly string[];
  readonly tests: string;
  readonly links: readonly string[];
}

const pages = readdirSync('docs/decisions').filter((file) => file.endsWith('.md')).toSorted()
  .map((file) => `decisions/${file}`);
const decisions = pages.flatMap(decisionsOf);
const contractRows = readTables('contract-rows.md', ['id', 'statement', 'from']);
const known = new Set(contractRows.map(({ cells }) => cells[0]));
const filesOfRow = new Map<string, Set<string>>();
for (const { ids, writtenAt } of readTitles(process.cwd())) {
  for (const id of ids) {
    const files = filesOfRow.get(id) ?? new Set();
    filesOfRow.set(id, files.add(writtenAt.replace(/:\d+$/, '')));
  }
}

/** Each heading of a page with its paragraphs: what was decided, `Rows:` and `Tests:`. */
function decisionsOf(page: string): Decision[] {
  const [, ...sections] = readFileSync(`docs/${page}`, 'utf8').split(/^## /m);
  return sections.map((section) => {
    const [point = '', ...lines] = section.trim().split('\n');
    const [text = '', rows = '', tests = '', ...more] = lines.join('\n').split(/\n\n+/)
      .map((paragraph) => paragraph.replaceAll('\n', ' ').trim());
    const isWhole = more.length === 0 && rows.startsWith('Rows: ') && tests.startsWith('Tests:');
    const ids = rows.replace(/^Rows: /, '');
    return {
      name: `docs/${page} "${point}"${isWhole ? '' : ' (not text, Rows and Tests)'}`,
      text,
      rows: ids === NOTHING ? [] : ids.split(', '),
      tests: tests.replace(/^Tests:/, '').trim(),
      links: [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link),
    };
  });
}

function carriersOf({ rows }: Decision): string[] {
  return [...new Set(rows.flatMap((id) => [...filesOfRow.get(id) ?? []]))].sort();
}

/** What the cell should be by the titles of today; shown where it is not. */
function cellFor(decision: Decision): string {
  const links = carriersOf(decision).map((file) => {
    const name = `${basename(dirname(file))}/${basename(file).replace(/(\.test)?\.ts$/, '')}`;
    return `[${name}](../../${file})`;
  });
  if (decision.rows.length === 0) return NOTHING;
  return links.length === 0 ? UNTESTED.join(' or ') : links.join(', ');
}

describe('docs/decisions', () => {
  it('is read whole: every heading of its pages is a decision with text, rows and tests', () => {
    expect(decisions.length).toBeGreaterThanOrEqual(DECISIONS_MIN);
    expect(decisions.filter(({ text, name }) => text === '' || name.endsWith(')'))).toEqual([]);
    const points = decisions.map(({ name }) => name.replace(/^[^"]*/, ''));
    expect(points.filter((point, at) => points.indexOf(point) !== at)).toEqual([]);
  });

  it('lists every page with the number of its decisions', () => {
    const listed = readTables('decisions.md', INDEX_HEAD).map(({ cells }) => {
      const [link = '', count = ''] = cells;
      return `${/\]\(([^)]+)\)/.exec(link)?.[1] ?? ''}: ${count}`;
    });
    expect(listed.toSorted()).toEqual(pages.map((page) => `${page}: ${decisionsOf(page).length}`));
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
        .filter((link) => !carriers.includes(posix.join('docs/decisions', link)))
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
