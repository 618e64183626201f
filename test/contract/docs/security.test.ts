import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTables } from './page-tables.ts';

const rows = readTables('reference/security.md', ['Line', 'Held by'])
  .map(({ at, cells: [line = '', heldBy = ''] }) => ({ at, line, heldBy }));
const TEST = /`(test\/[^`]+\.ts)` › `([^`]+)`/g;

/** Tests with real stores and sockets. */
const LIVE = /^test\/(integration|e2e)\//;

const testsIn = (heldBy: string) => [...heldBy.matchAll(TEST)]
  .map(([, file = '', title = '']) => ({ file, title }));

/** A test of that whole title, rows of the contract aside; none that ends in the same words. */
function hasTitle(source: string, title: string): boolean {
  return new RegExp(`['"\`](\\[[A-Z]+-\\d+\\] )*${RegExp.escape(title)}['"\`]`).test(source);
}

describe('docs/reference/security.md', () => {
  it('is read whole', () => {
    const lines = readFileSync('docs/reference/security.md', 'utf8').split('\n');
    const heads = lines.filter((line) => line === '| Line | Held by |').length;
    expect(rows).toHaveLength(lines.filter((line) => line.startsWith('|')).length - 2 * heads);
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('has a test or a reason for: $line', ({ heldBy }) => {
    const tests = testsIn(heldBy);
    if (tests.length === 0) expect(heldBy).toMatch(/^Reason: .{20,}\.$/);
    const missing = tests.filter(({ file, title }) => (
      !existsSync(file) || !hasTitle(readFileSync(file, 'utf8'), title)
    ));
    expect(missing).toEqual([]);
  });

  it.each(Array.from({ length: 10 }, (_, at) => `API${at + 1}:2023`))(
    'has a test of %s against what runs', (risk) => {
      const own = rows.filter(({ line }) => line.startsWith(`${risk} `));
      expect(own).toHaveLength(1);
      const live = testsIn(own[0]?.heldBy ?? '').filter(({ file }) => LIVE.test(file));
      expect(live).not.toEqual([]);
    },
  );
});
