import { expect, it } from 'vitest';
import type { TablePartition, TableUpkeep } from '../../../services/kernel/table-upkeep.ts';
import { verifyTables } from '../../../services/workers/backup/verify-backup.ts';

const partition = (hash: string, table = 'locations'): TablePartition => (
  { table, partition: '20261123', rows: Number(hash), hash }
);

/** Answers one state after the other, the last one again and again. */
function tables(...states: readonly (readonly TablePartition[])[]): TableUpkeep {
  const left = [...states];
  return {
    partitions: () => Promise.resolve((left.length > 1 ? left.shift() : left[0]) ?? []),
    lacking: () => Promise.resolve(2),
  };
}

async function verdicts(live: TableUpkeep, restored: TableUpkeep): Promise<readonly string[]> {
  const verified = await verifyTables({
    live, restored, liveDatabase: 'tracking', pause: () => Promise.resolve(),
    writeTail: () => Promise.resolve(),
  });
  return verified.map(({ verdict }) => verdict);
}

const at = (...hashes: readonly string[]) => hashes.map((hash) => [partition(hash)]);

it.each([
  ['equal', at('5'), at('5')],
  ['equal', at('5', '6'), at('5')],
  ['equal', at('5', '6'), at('6')],
  ['moving', at('5', '7', '8', '9', '10'), at('6')],
  ['lacks', at('5'), at('4')],
  ['lacks', at('5'), [[]]],
  ['equal', at('5'), at('4', '4', '5')],
])('is %s for the running tables %j and the restored ones %j', async (verdict, live, restored) => {
  expect(await verdicts(tables(...live), tables(...restored))).toEqual([verdict]);
});

it('holds more where the running tables have no such partition', async () => {
  expect(await verdicts(tables([]), tables([partition('5')]))).toEqual(['holds_more']);
});
