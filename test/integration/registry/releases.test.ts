import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleOf } from '../../../schemas/bundles.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { openRegistryClient } from '../../../services/adapters/registry/client.ts';
import {
  openRecordSchemas, type RecordSchemas,
} from '../../../services/adapters/registry/schemas.ts';
import { isDecoded, type LogHandler, type LogRecord } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { readByWriter } from '../../../services/workers/common/read-by-writer.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { aNotification } from '../../support/notifications.ts';
import { readRecord } from '../../support/read-record.ts';
import { stackEnv } from '../../support/stack.ts';
import { freshGroup, openDeadLetterEnv, type DeadLetterEnv } from '../dead-letters/env.ts';

const WAIT = { timeout: 30_000, interval: 100 };
const NOTIFICATIONS = TOPICS.notifications.name;
const OLDER = bundleOf('NotificationRecorded');
const SHIPMENTS = ['RST-A', 'RST-B', 'RST-C', 'RST-D'];
const STEPS = ['EX-HUB', 'EX-ON-ROUTE', 'EX-DELIVERED'];
/** Ids that other tests may take until this one comes to register its schema. */
const IDS_AHEAD = 30;

/** The schema of a release that is one optional field further. */
function grown(field: string, from: Readonly<Record<string, unknown>> = OLDER) {
  const properties = { ...from['properties'] as object, [field]: { type: 'string' } };
  return { ...from, properties };
}

let env: DeadLetterEnv;
let subject: string;
let release: RecordSchemas;
/** Whether the code of the release that reads knows the new field. */
let knowsRemark = false;
/** Values that reached a worker, in the form in which it got them. */
let seen: string[] = [];
beforeAll(async () => {
  env = await openDeadLetterEnv({
    behind: (worker) => readByWriter(watched(worker), {
      // Of the topics of this test, notifications alone are in the registry.
      isOwn: (topic, id) => topic !== NOTIFICATIONS || release.isOwn(topic, id),
      read: (record) => release.read(record),
    }),
    readRecord: (topic) => {
      const read = readRecord(topic);
      return (record) => read(knowsRemark && isDecoded(record) ? withoutRemark(record) : record);
    },
  });
  subject = `${env.topics.nameOf(NOTIFICATIONS)}-value`;
}, 60_000);
afterAll(() => env.close());

function withoutRemark(record: LogRecord): LogRecord {
  const { remark: _, ...known } = JSON.parse(record.value.toString()) as { remark?: string };
  return { ...record, value: Buffer.from(JSON.stringify(known)) };
}

function watched(worker: LogHandler): LogHandler {
  return {
    ...worker,
    onRecords: (records) => {
      seen.push(...records.filter(isDecoded).filter(({ topic }) => topic === NOTIFICATIONS)
        .map(({ value }) => value.toString()));
      return worker.onRecords(records);
    },
  };
}

async function released(schema: Readonly<Record<string, unknown>>): Promise<RecordSchemas> {
  const url = stackEnv().SCHEMA_REGISTRY_URL;
  const schemas = openRecordSchemas(
    { url, clientId: 'test', requestMsMax: 5_000 }, { clock: wallClock, signals: silentSignals },
  );
  await schemas.register([{ topic: NOTIFICATIONS, subject, schema }], wallClock.nowMs() + 20_000);
  return schemas;
}

/** What a gateway appends: by the schema of its release, with the fields that this one knows. */
function notify(
  key: string, nth: number, schemaId: number, more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const date = `2026-11-20T10:${String(nth).padStart(2, '0')}:00Z`;
  const code = STEPS[nth] ?? 'EX-HUB';
  const notification = { ...aNotification(code, { date }), tracking_number: key };
  return env.topics.log.append({
    topic: NOTIFICATIONS, key, schemaId,
    value: Buffer.from(JSON.stringify({ type: 'NotificationRecorded', notification, ...more })),
    headers: {
      client: 'carrier-1', 'received-at': String(Date.now()), 'ingest-id': `${key}-${nth}`,
    },
  }, Date.now() + 15_000);
}

const count = async (table: string, where = '1') => Number((await env.tables.admin.query(
  `SELECT count() AS n FROM ${table} FINAL WHERE ${where}`,
))[0]?.['n']);
const journeyOf = async (number: string) => (await env.tables.analyst.query(
  `SELECT code, outcome FROM v_journeys WHERE tracking_number = {number:String}
   ORDER BY journey_k_offset`, { number },
)).map(({ code, outcome }) => `${String(code)} ${String(outcome)}`);
const remarkOf = (text: string) => (JSON.parse(text) as { remark?: string }).remark;

describe('Releases with an older and a newer schema side by side', () => {
  it('[GEN-37] bring everything to its outcome, in either order of the deploy', async () => {
    const [older, newer] = [await released(OLDER), await released(grown('remark'))];
    const ids = [older.schemaIdOf(NOTIFICATIONS), newer.schemaIdOf(NOTIFICATIONS)] as const;
    expect(ids[0]).not.toBe(ids[1]);
    const groups = [freshGroup(), freshGroup()] as const;
    const start = () => Promise.all([env.projector(groups[0]), env.writer(groups[1])]);
    /** One step of every shipment: half of the gateways are newer, and each shipment meets both. */
    const send = (nth: number) => Promise.all(SHIPMENTS.map((key, at) => ((at + nth) % 2 === 0
      ? notify(key, nth, ids[0])
      : notify(key, nth, ids[1], { remark: `${key}-${nth}` }))));
    let sent = 0;
    for (const [reader, knows] of [[older, false], [newer, true], [older, false]] as const) {
      release = reader;
      knowsRemark = knows;
      seen = [];
      const workers = await start();
      await send(sent);
      sent += 1;
      await expect.poll(() => count('shipment_notifications'), WAIT).toBe(SHIPMENTS.length * sent);
      await expect.poll(() => count('shipment_journeys'), WAIT).toBe(SHIPMENTS.length * sent);
      const remarks = seen.map(remarkOf).filter((remark) => remark !== undefined);
      // Two workers read each; a newer one has what only newer gateways write, an older one not.
      expect(new Set(remarks).size).toBe(knows ? SHIPMENTS.length / 2 : 0);
      await Promise.all(workers.map((worker) => worker.stop()));
    }
    for (const key of SHIPMENTS) {
      expect(await journeyOf(key)).toEqual(STEPS.map((code) => `${code} applied`));
    }
    expect(await count('dead_letters')).toBe(0);
    expect((await env.dlq(['ls'])).value).toEqual([]);
  }, 120_000);

  it('[GEN-38] keep what no schema describes until it is registered; a replay applies it once', async () => {
    release = await released(OLDER);
    knowsRemark = false;
    const own = release.schemaIdOf(NOTIFICATIONS);
    const workers = await Promise.all([env.projector(freshGroup()), env.writer(freshGroup())]);
    const target = await registerFiller() + IDS_AHEAD;
    await notify('RST-X', 0, own);
    await notify('RST-X', 1, target, { reason: 'of a release that is not deployed' });
    await notify('RST-X', 2, own);
    await notify('RST-Y', 0, own);
    // Its shipment waits behind it in the journey; the tables lack exactly the one record.
    await expect.poll(async () => (await env.dlq(['ls', '--each'])).value, WAIT)
      .toHaveLength(2);
    await expect.poll(() => count('shipment_notifications', 'tracking_number = \'RST-X\''), WAIT).toBe(2);
    await expect.poll(() => journeyOf('RST-Y'), WAIT).toEqual(['EX-HUB applied']);
    expect(await journeyOf('RST-X')).toEqual(['EX-HUB applied']);
    const codes = async () => (await env.tables.analyst.query(
      'SELECT DISTINCT code FROM v_dead_letters ORDER BY code',
    )).map(({ code }) => code);
    await expect.poll(codes, WAIT).toEqual(['key_parked', 'schema_unknown']);

    await registerAs(target, grown('reason', grown('remark')));
    expect(await env.dlq(['replay', '--all'])).toMatchObject({ exitCode: 0 });
    await expect.poll(() => journeyOf('RST-X'), WAIT)
      .toEqual(STEPS.map((code) => `${code} applied`));
    await expect.poll(() => count('shipment_notifications', 'tracking_number = \'RST-X\''), WAIT).toBe(3);
    expect(await env.dlq(['replay', '--all'])).toMatchObject({ value: { replayed: [] } });
    expect((await env.dlq(['ls'])).value).toEqual([]);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await journeyOf('RST-X')).toHaveLength(STEPS.length);
  }, 120_000);
});

/** Registers a schema without a use; the registry counts its ids up. */
async function registerFiller(): Promise<number> {
  const { SCHEMA_REGISTRY_URL: url } = stackEnv();
  const client = openRegistryClient({ url, clientId: 'test', requestMsMax: 5_000 });
  const title = `filler_${randomUUID()}`;
  return client.register(title, { title, type: 'object', properties: { id: { type: 'string' } } });
}

/** Registers a schema at the moment when its id is the wanted one. */
async function registerAs(
  wanted: number, schema: Readonly<Record<string, unknown>>,
): Promise<void> {
  let id = await registerFiller();
  while (id < wanted - 1) id = await registerFiller();
  const newer = await released(schema);
  expect(newer.schemaIdOf(NOTIFICATIONS)).toBe(wanted);
}
