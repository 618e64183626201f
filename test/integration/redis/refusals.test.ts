import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeptRefusals } from '../../../services/kernel/refusals.ts';
import { shardOf } from '../../../services/kernel/shards.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();
let states: OpenedRedis;

beforeAll(async () => { states = await openRedisStates(); });
beforeEach(async () => { await states.wipe(); });
afterAll(async () => { await states.close(); });

const refused = (change: Partial<KeptRefusals> = {}): KeptRefusals => ({
  operation: 'send-locations', status: 400, code: 'validation_failed',
  pointers: ['/locations/0/latitude', '/locations/0/longitude'], count: 1, first_at_ms: NOW_MS,
  last_at_ms: NOW_MS, ...change,
});

/** Clients of one shard. */
const CLIENTS = Array.from({ length: 20_000 }, (_, at) => `client-${at}`)
  .filter((each) => shardOf(each) === shardOf('client-0')).slice(0, 40);

describe('the refused calls of a client', () => {
  it('[GEN-54] are added to those of the same hour and kind, also from another gateway', async () => {
    await states.refusals.keep('c', [refused({ count: 3, last_at_ms: NOW_MS + 2 })]);
    await states.refusals.keep('c', [refused({ first_at_ms: NOW_MS - 1 }), refused({ code: 'x' })]);
    expect(await states.refusals.find('c')).toEqual([
      refused({ count: 4, first_at_ms: NOW_MS - 1, last_at_ms: NOW_MS + 2 }),
      refused({ code: 'x' }),
    ]);
    expect(await states.refusals.find('other')).toEqual([]);
  });

  it('[GEN-54] are at most 200 rows, of which the newest stay', async () => {
    for (let at = 0; at < 230; at += 10) {
      await states.refusals.keep('c', Array.from({ length: 10 }, (_, more) => (
        refused({ code: `code_${at + more}`, last_at_ms: NOW_MS + at + more, pointers: [] })
      )));
    }
    const found = await states.refusals.find('c');
    expect([found.length, found.at(0)?.code, found.at(-1)?.code])
      .toEqual([200, 'code_229', 'code_30']);
  });

  it('[GEN-54] are gone after seven days', async () => {
    await states.refusals.keep('c', [refused({ last_at_ms: NOW_MS - 170 * HOUR_MS }), refused()]);
    expect(await states.refusals.find('c')).toEqual([refused()]);
    const names = await states.raw.keys('*refusal*');
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect(await states.raw.pttl(name)).toBeGreaterThan(160 * HOUR_MS);
    }
  });

  it('[GEN-54] are kept of 16 clients of a shard, of those that were refused last', async () => {
    expect(CLIENTS).toHaveLength(40);
    for (const client of CLIENTS) await states.refusals.keep(client, [refused()]);
    const left = await Promise.all(CLIENTS.map(async (client) => (
      (await states.refusals.find(client)).length
    )));
    expect(left.reduce((sum, each) => sum + each, 0)).toBe(16);
    expect(left.slice(0, 2)).toEqual([0, 0]);
    expect(await states.raw.keys('*:refusals:*')).toHaveLength(16);
  });

  it('are no part of what a rebuild compares or clears', async () => {
    await states.refusals.keep('c', [refused()]);
    const seen: string[] = [];
    await states.upkeep.scan(async (entries) => { seen.push(...entries.map(({ name }) => name)); });
    expect(seen.filter((name) => name.includes('refusal'))).toEqual([]);
    await states.upkeep.clear([]);
    expect(await states.refusals.find('c')).toEqual([refused()]);
  });
});
