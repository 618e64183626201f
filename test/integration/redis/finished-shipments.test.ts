import { afterEach, beforeEach, expect, it } from 'vitest';
import { HISTORY_MS, LEAVING_MS } from '../../../services/kernel/lifetimes.ts';
import type { ShipmentJourney } from '../../../services/kernel/shipments.ts';
import type { StoredEntry } from '../../../services/kernel/state-upkeep.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';

const HOUR_MS = 3_600_000;
const KIND = 'finished-shipments';

let states: OpenedRedis;
beforeEach(async () => { states = await openRedisStates(); });
afterEach(() => states.close());

const over = (received_at_ms: number): ShipmentJourney => ({
  carrier: 'c', contents: [], received_at_ms,
  state: { code: 'C', carrier_code: 'X', final: true, occurred_at_ms: 1 },
  last_notification: { topic_id: 't', partition: 0, offset: 1 },
});

async function scanned(): Promise<readonly StoredEntry[]> {
  const found: StoredEntry[] = [];
  await states.upkeep.scan(async (entries) => { found.push(...entries); });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

it('[GEN-67] a comparison with the log sees each finished shipment, and which of them are leaving', async () => {
  const nowMs = Date.now();
  const oldMs = nowMs - HISTORY_MS + HOUR_MS;
  await states.shipments.putJourneys(new Map([['RST1', over(nowMs)], ['RST#2', over(oldMs)]]));
  const found = await scanned();
  expect(found.map(({ kind, name, isLeaving }) => [kind, name.split('#').slice(1).join('#'), isLeaving]))
    .toEqual(expect.arrayContaining([[KIND, 'RST1', false], [KIND, 'RST#2', false]]));
  expect(found).toHaveLength(2);
  for (const entry of found) expect(await states.upkeep.read([entry.name])).toEqual([entry]);
  expect(await states.upkeep.read([`${found[0]?.name ?? ''}9`])).toEqual([]);
  expect(HOUR_MS).toBeLessThan(LEAVING_MS);
});

it('[GEN-67] a comparison with the log sees a shipment alone, whatever is in its number', async () => {
  const { state: _, ...rest } = over(Date.now());
  await states.shipments.putJourneys(new Map([['RST#2', { ...rest, state: undefined }]]));
  const [entry, ...others] = await scanned();
  expect([entry?.kind, entry?.name.split(':').at(-1), others]).toEqual(['shipment', 'RST#2', []]);
  expect(await states.upkeep.read([entry?.name ?? ''])).toEqual([entry]);
});

it('[GEN-67] a finished shipment past its end lies alone until its days of grace are over', async () => {
  await states.shipments.putJourneys(new Map([['RST1', over(Date.now() - HISTORY_MS)]]));
  expect((await scanned()).map(({ kind, isLeaving }) => [kind, isLeaving]))
    .toEqual([['shipment', true]]);
});

it('[GEN-69] checkpoints of folds are kept whole, and gone when the marks are withdrawn', async () => {
  const checkpoint = {
    form: 1, topics: [{ topic: 'a', topic_id: 'i', next: { 0: '7' } }], content: { x: ['é'] },
  };
  expect(await states.folds.find('f')).toBeUndefined();
  await states.folds.keep('f', { ...checkpoint, form: 2 });
  await states.folds.keep('f', checkpoint);
  await states.folds.keep('other', checkpoint);
  expect(await states.folds.find('f')).toEqual(checkpoint);
  await states.raw.hset('{s00}:folds', 'other', '{');
  expect(await states.folds.find('other')).toBeUndefined();
  expect(await scanned()).toEqual([]);
  await states.upkeep.withdrawMarks();
  expect(await states.folds.find('f')).toBeUndefined();
});
