import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIngestAudit } from '../../../services/adapters/clickhouse/ingest-audit.ts';
import { createItemOutcomeReader } from '../../../services/adapters/clickhouse/item-outcomes.ts';
import { createIds } from '../../../services/adapters/system/system.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { aNotification } from '../../support/notifications.ts';
import type { OwnWorker } from '../../support/own-topics.ts';
import { freshGroup, openDeadLetterEnv, type DeadLetterEnv } from './env.ts';

const WAIT = { timeout: 20_000, interval: 200 };
const ids = createIds(wallClock);
const startedMs = Date.now() - 1_000;
let env: DeadLetterEnv;
let writer: OwnWorker;
beforeAll(async () => {
  env = await openDeadLetterEnv();
  writer = await env.writer(freshGroup());
}, 60_000);
afterAll(async () => {
  await writer.stop();
  await env.close();
});

const deadlineMs = () => Date.now() + 15_000;

/** Headers of an accepted call of one item, as a gateway writes them. */
function accepted(client: string) {
  const id = ids.ingestId();
  return { id, headers: { 'ingest-id': id, client, 'received-at': String(Date.now()), n: '1' } };
}

async function post(device: string): Promise<string> {
  const { id, headers } = accepted('sender');
  const timestamp = Math.floor(Date.now() / 1_000) - 10;
  const place = { timestamp, country_id: 'BR', latitude: 1, longitude: 2 };
  await env.topics.log.append({
    topic: 'rtt.locations.v1', key: device,
    value: Buffer.from(JSON.stringify({ post_timestamp: timestamp, locations: [place] })),
    headers: { ...headers, provider: 'acme' },
  }, deadlineMs());
  return id;
}

async function notify(code: string, minute: number, { id, headers } = accepted('carrier')) {
  const number = 'RST-L';
  const date = `2026-11-20T10:${minute}:00Z`;
  const notification = { ...aNotification(code, { date }), tracking_number: number };
  await env.topics.log.append({
    topic: 'shipment.notifications.v1', key: number,
    value: Buffer.from(JSON.stringify({ type: 'NotificationRecorded', notification })), headers,
  }, deadlineMs());
  return id;
}

/** What the sender of a call can read: outcomes that are not 0, and why it is a dead letter. */
async function outcomesOf(client: string, id: string): Promise<unknown> {
  const [outcome, ...more] = await createItemOutcomeReader(env.tables.admin).find(client, id);
  if (outcome === undefined || more.length > 0) return outcome;
  const outcomes = Object.entries({ ...outcome.outcomes, waiting: outcome.waiting })
    .filter(([, count]) => count !== 0);
  return { ...Object.fromEntries(outcomes), ...outcome.deadLetter };
}

async function balance(): Promise<unknown> {
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
  const [row] = await env.tables.analyst.query(
    `SELECT sum(accepted) AS accepted, sum(stored) AS stored, sum(dead_lettered) AS dead,
            sum(unexplained) AS unexplained
     FROM v_ingest_balance(since = '${text(startedMs)}', until = '${text(Date.now() + 1_000)}')`,
  );
  return row;
}

describe('the ledger of a dead letter', () => {
  it('[GEN-07] says that it is a dead letter, and stored after the replay; nothing stays unexplained', async () => {
    env.refusedTexts.add('"device-bad"');
    const bad = await post('device-bad');
    const good = await post('device-good');
    const unreadable = accepted('carrier');
    const projectors = freshGroup();
    const old = await env.projector(projectors, ({ headers }) =>
      headers['ingest-id'] === unreadable.id);
    const first = await notify('EX-HUB', 10);
    const parked = await notify('EX-ON-ROUTE', 11, unreadable);
    // Its shipment waits behind it.
    const waiting = await notify('EX-DELIVERED', 12);
    await expect.poll(() => outcomesOf('sender', bad), WAIT)
      .toEqual({ dead_lettered: 1, stage: 'insert', code: 'sink_rejected' });
    await expect.poll(() => outcomesOf('sender', good), WAIT).toEqual({ stored: 1 });
    await expect.poll(() => outcomesOf('carrier', parked), WAIT)
      .toMatchObject({ dead_lettered: 1, stage: 'consume', code: 'record_invalid' });
    await expect.poll(() => outcomesOf('carrier', waiting), WAIT).toMatchObject({ dead_lettered: 1 });
    await expect.poll(balance, WAIT)
      .toEqual({ accepted: '5', stored: '2', dead: '3', unexplained: '0' });

    // Both are repaired, and everything goes back.
    await old.stop();
    env.refusedTexts.clear();
    const mended = await env.projector(projectors);
    const replayed = await env.dlq(['replay', '--all', '--wait', '15']);
    expect(replayed).toMatchObject({ exitCode: 0, value: { refused: [] } });
    for (const [client, id] of [
      ['sender', bad], ['sender', good], ['carrier', first], ['carrier', parked],
      ['carrier', waiting],
    ] as const) {
      await expect.poll(() => outcomesOf(client, id), WAIT).toEqual({ stored: 1 });
    }
    expect(await balance()).toEqual({ accepted: '5', stored: '5', dead: '0', unexplained: '0' });
    expect(await createIngestAudit(env.tables.ingest).unexplained(startedMs, Date.now() + 1_000))
      .toEqual({ items: 0, unreadRecords: 0 });
    await mended.stop();
  }, 90_000);
});
