import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDice } from '../../faults/dice.ts';
import { actsOf } from '../../rehearse/acts/index.ts';
import { createStops, type FlowReading } from '../../rehearse/flow-watch.ts';
import { lineOf, pageOf } from '../../rehearse/page.ts';
import { longestWithoutOwner, readAssignments } from '../../rehearse/assignments.ts';
import type { Row } from '../../faults/run/table.ts';

const readingAt = (
  atMs: number, stored: number, places: Record<string, bigint> = {},
): FlowReading => (
  { atMs, tookMs: 5, stored, behind: new Map(Object.entries(places)) }
);

describe('the stops of a flow', () => {
  it('are the longest time between two inserts', () => {
    const stops = createStops();
    for (const [atMs, stored] of [[0, 1], [100, 2], [700, 2], [900, 3], [950, 4]] as const) {
      stops.add(readingAt(atMs, stored));
    }
    expect(stops.read()).toEqual({ inserts: 800, partition: 0, reading: 5 });
  });

  it('last on while nothing comes, and are those since the begin alone', () => {
    const stops = createStops();
    stops.add(readingAt(0, 1));
    stops.add(readingAt(5_000, 2));
    stops.begin(5_000);
    stops.add(readingAt(5_300, 2));
    expect(stops.read().inserts).toBe(300);
  });

  it('of a partition are the longest time at one place with something to read behind it', () => {
    const stops = createStops();
    stops.add(readingAt(0, 1, { 'a:0': 5n, 'a:1': 7n }));
    stops.add(readingAt(400, 2, { 'a:0': 5n, 'a:1': 8n }));
    stops.add(readingAt(900, 3, { 'a:0': 5n, 'a:1': 9n }));
    stops.add(readingAt(1_000, 4, { 'a:1': 9n }));
    expect(stops.read().partition).toBe(1_000);
  });

  it('of a partition that had nothing to read for a while begin again', () => {
    const stops = createStops();
    stops.add(readingAt(0, 1, { 'a:0': 5n }));
    stops.add(readingAt(300, 2));
    stops.add(readingAt(5_000, 3, { 'a:0': 5n }));
    stops.add(readingAt(5_100, 4, { 'a:0': 5n }));
    expect(stops.read().partition).toBe(300);
  });
});

describe('the time in which partitions have no owner', () => {
  const lines = [
    ['one', 0, 6], ['one', 1_000, 0], ['one', 1_400, 3], ['two', 1_900, 3],
    ['one', 5_000, 0], ['one', 5_200, 2], ['two', 5_300, 0], ['two', 5_800, 4],
  ].map(([member, atMs, partitions]) => (
    { member: String(member), atMs: Number(atMs), partitions: Number(partitions) }
  ));

  it('lasts until all of them have an owner, not until the first member has its share', () => {
    expect(longestWithoutOwner(lines, 6, { fromMs: 0, toMs: 9_000 })).toBe(900);
  });

  it('counts within the interval alone, and until its last moment where it still lasts', () => {
    expect(longestWithoutOwner(lines, 6, { fromMs: 3_000, toMs: 9_000 })).toBe(800);
    expect(longestWithoutOwner(lines.slice(0, -1), 6, { fromMs: 3_000, toMs: 9_000 })).toBe(4_000);
    expect(longestWithoutOwner(lines, 6, { fromMs: 2_000, toMs: 4_000 })).toBe(0);
  });

  it('is read from what the processes wrote', () => {
    const dir = mkdtempSync(join(tmpdir(), 'rastro-shares-'));
    mkdirSync(join(dir, 'table-writer-1'));
    const line = (event: string, group: string, partitions: number) =>
      JSON.stringify({ time: '2026-01-01T00:00:01.500Z', group, partitions, event });
    writeFileSync(join(dir, 'table-writer-1', 'output.log'), [
      line('consumer_assigned', 'a', 7), line('consumer_assigned', 'b', 8), '(node:1) Warning: a',
      line('consumer_revoked', 'a', 7), line('boot', 'a', 7), '',
    ].join('\n'));
    const atMs = Date.parse('2026-01-01T00:00:01.500Z');
    expect(readAssignments(dir, ['table-writer-1'], 'a')).toEqual([
      { member: 'table-writer-1', atMs, partitions: 7 },
      { member: 'table-writer-1', atMs, partitions: 0 },
    ]);
    rmSync(dir, { recursive: true });
  });
});

describe('the acts', () => {
  it('have names of their own, one deed each, and invariants that they aim at', () => {
    const acts = actsOf('abc1234');
    expect(new Set(acts.map(({ name }) => name)).size).toBe(acts.length);
    for (const act of acts) {
      expect(act.plan(createDice(1))).toHaveLength(1);
      expect(act.aims).toContain('I1');
    }
  });
});

describe('the page of what was rehearsed', () => {
  const row: Row = {
    name: 'scale', does: 'more and fewer', aims: ['I1'], seed: 7, seconds: 60, quietAfterMs: 900,
    cells: [], troubles: [], counts: { tries: 100, accepted_items: 80 },
    losses: 'lost=0 doubled=0 unexplained=0', remarks: ['1 → 4: 3.0 s'],
  };

  it('has a row and a section with the command for each act', () => {
    const page = pageOf([{
      row, command: 'npm run rehearse -- --only scale', commit: 'abc', load: 0.5, cores: 2,
    }]);
    expect(page).toContain('| scale | 100 | 80 | `lost=0 doubled=0 unexplained=0` | 900 | 60 |');
    expect(page).toContain('`npm run rehearse -- --only scale` at commit `abc`, on 2 cores');
    expect(page).toContain('- 1 → 4: 3.0 s');
  });

  it('says loudly what was red', () => {
    const red = { ...row, losses: 'lost=1 doubled=0 unexplained=0', troubles: ['I1 lost: one'] };
    const page = pageOf([{ row: red, command: 'c', commit: 'abc', load: 9, cores: 2 }]);
    expect(page).toContain('| **red** scale |');
    expect(page).toContain('**lost=1 doubled=0 unexplained=0**');
    expect(lineOf(red)).toMatch(/^FAIL scale .*lost=1/);
  });
});
