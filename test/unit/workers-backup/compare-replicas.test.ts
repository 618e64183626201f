import { describe, expect, it } from 'vitest';
import type { TablePartition, TableUpkeep } from '../../../services/kernel/table-upkeep.ts';
import { compareReplicas } from '../../../services/workers/backup/compare-replicas.ts';
import { reportReplicas } from '../../../services/workers/backup/report-replicas.ts';

const partition = (hash: string, table = 'locations'): TablePartition => (
  { table, partition: '20261123', rows: Number(hash), hash }
);
const at = (...hashes: readonly string[]) => hashes.map((hash) => [partition(hash)]);

/** Answers one state after the other, the last one again and again; says what it was asked for. */
function tables(states: readonly (readonly TablePartition[])[]) {
  const left = [...states];
  const asked: (readonly string[] | undefined)[] = [];
  const upkeep: TableUpkeep = {
    partitions: (among) => {
      asked.push(among?.map(({ table }) => table));
      return Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? []);
    },
    lacking: () => Promise.reject(new Error('replicas are not in one server')),
  };
  return { upkeep, asked };
}

const compare = (first: TableUpkeep, replica: TableUpkeep) => (
  compareReplicas({ first, replica, pause: () => Promise.resolve() })
);

describe('Comparing replicas', () => {
  it.each([
    ['equal', at('5'), at('5')],
    ['equal', at('5'), at('4', '5')],
    ['equal', at('4', '5', '6'), at('4', '5')],
    ['equal', at('4', '4', '5'), at('3', '4')],
    ['differs', at('5'), at('4')],
    ['differs', at('5'), [[]]],
    ['differs', [[]], at('5')],
    ['moving', at('5', '6', '7', '8', '9', '10', '11', '12'), at('4')],
    ['moving', at('20'), at('4', '5', '6', '7')],
    // A value that was there once, before the other was read, is not equal.
    ['moving', at('4', '5', '6', '7', '8', '9', '10'), at('1', '4')],
  ])('is %s for the first one %j and the other %j', async (verdict, first, replica) => {
    const found = await compare(tables(first).upkeep, tables(replica).upkeep);
    expect(found.map((each) => each.verdict)).toEqual([verdict]);
  });

  it('reads again only what differs', async () => {
    const both = (hash: string) => [[partition(hash), partition('1', 'telemetry')]];
    const { upkeep, asked } = tables(both('5'));
    await compare(upkeep, tables([...both('4'), at('5')[0] ?? []]).upkeep);
    expect(asked).toEqual([undefined, ['locations'], ['locations']]);
  });

  it('shows both sides, lag and the verdict, and fails when one differs', async () => {
    const partitions = await compare(tables(at('5')).upkeep, tables(at('4')).upkeep);
    const report = reportReplicas([{ name: 'b', lag: { first: 1, replica: 20 }, partitions }]);
    expect(report.exitCode).toBe(1);
    expect(report.lines).toEqual([
      'differs  locations 20261123: 5 rows 5, b 4 rows 4',
      'b: 0 partitions are equal, 0 changed meanwhile, 1 differ; 20 records behind the log, the first one 1',
      'Not as the first one: b.',
    ]);
    expect(reportReplicas([]).exitCode).toBe(2);
    const same = await compare(tables(at('5')).upkeep, tables(at('5')).upkeep);
    expect(reportReplicas([{ name: 'b', lag: { first: 0, replica: 0 }, partitions: same }]))
      .toMatchObject({ exitCode: 0, value: { equal: true } });
  });
});
