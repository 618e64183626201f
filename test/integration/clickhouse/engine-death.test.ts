import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startClickHouse } from '../../../infra/local/clickhouse.ts';
import type { Part } from '../../../infra/local/part.ts';
import { freePorts } from '../../../infra/local/ports.ts';
import { CLICKHOUSE_LIMITS, openClickHouse, type ClickHouse }
  from '../../../services/adapters/clickhouse/clickhouse.ts';
import { spliceMetadata } from '../../../services/workers/table-writer/splice-metadata.ts';
import { migrateDatabase } from '../../../infra/clickhouse/migrate-database.ts';
import { post } from './history.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';

// An engine of its own, since this one is killed.
const credentials = {
  admin: 'admin', ingest: 'ingest', analyst: 'analyst', history: 'history', backup: 'backup',
  pictures: 'pictures',
};
const FIXES = 4;
const POSTS = 1_500;
const NOW = Math.floor(Date.now() / 1000);
let dir: string;
let engine: Part;
let store: ClickHouse;
let url: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rastro-engine-death-'));
  const [port = 0] = await freePorts(1);
  engine = await startClickHouse({ port, dir, credentials, databases: ['tracking'], log() {} });
  url = `http://127.0.0.1:${port}`;
  await migrateDatabase({ url, user: 'admin', password: 'admin', database: 'tracking' });
  store = openClickHouse(
    { ...CLICKHOUSE_LIMITS, url, user: 'admin', password: 'admin', database: 'tracking' },
    { signals: silentSignals },
  );
});

afterAll(async () => {
  await store.close();
  await engine.stop();
  await rm(dir, { recursive: true, force: true });
});

function batchOf(first: number): Uint8Array[] {
  return Array.from({ length: POSTS }, (_, i) => {
    const offset = first + i;
    const fixes = Array.from({ length: FIXES }, (_fix, j) => ({
      timestamp: NOW - FIXES * offset - j, country_id: 'AR', latitude: 1, longitude: 2,
      telemetry: { timestamp: NOW - FIXES * offset - j, speed: 5 },
    }));
    return spliceMetadata(post(fixes, { device: 'd', offset })) ?? Buffer.alloc(0);
  });
}

async function insertUntilStored(batch: readonly Uint8Array[], token: string): Promise<number> {
  let failures = 0;
  await expect.poll(async () => {
    try {
      return (await store.insert('in_locations', batch, token)).kind;
    } catch (error) {
      failures += 1;
      return error;
    }
  }, { timeout: 40_000, interval: 100 }).toBe('stored');
  return failures;
}

it('[LOC-17] loses and doubles nothing when the engine dies at any moment of an insert', async () => {
  let failures = 0;
  const delaysMs = [0, 20, 60, 120, 250, 500];
  for (const [round, delayMs] of delaysMs.entries()) {
    const batch = batchOf(round * POSTS);
    // Started again at once: the pauses of the supervisor grow, and are not what this is about.
    const death = new Promise((resolve) => setTimeout(resolve, delayMs)).then(engine.kill)
      .then(engine.restart);
    failures += await insertUntilStored(batch, `t1:0:${round}`);
    await death;
    // As after a lost answer: the same token once more changes nothing.
    await insertUntilStored(batch, `t1:0:${round}`);
  }
  const wanted = String(delaysMs.length * POSTS * FIXES);
  for (const table of ['locations', 'telemetry', 'v_locations', 'v_telemetry']) {
    expect(await store.query(`SELECT count() AS n, uniqExact(ts) AS times FROM ${table}`))
      .toEqual([{ n: wanted, times: wanted }]);
  }
  expect(failures).toBeGreaterThan(0);
}, 120_000);
