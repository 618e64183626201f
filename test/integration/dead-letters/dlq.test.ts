import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { RecordLog } from '../../../services/kernel/record-log.ts';
import { aNotification } from '../../support/notifications.ts';
import type { OwnWorker } from '../../support/own-topics.ts';
import { freshGroup, openDeadLetterEnv, type DeadLetterEnv } from './env.ts';

const WAIT = { timeout: 20_000, interval: 100 };
const LOCATIONS = 'rtt.locations.v1';
const NOTIFICATIONS = 'shipment.notifications.v1';
const WRITTEN = [
  LOCATIONS, NOTIFICATIONS, 'shipment.journey.v1', 'dead-letters.v1', 'dead-letter-repairs.v1',
];
const PROJECTORS = freshGroup();
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
const nowSeconds = Math.floor(Date.now() / 1_000);

function aPost(at: number): Promise<void> {
  const place = { timestamp: nowSeconds - at, country_id: 'BR', latitude: 1, longitude: 2 };
  return env.topics.log.append({
    topic: LOCATIONS,
    key: `device-${at}`,
    value: Buffer.from(JSON.stringify({ post_timestamp: nowSeconds, locations: [place] })),
    headers: { 'received-at': String(Date.now()), client: 'c1', provider: 'acme', n: '1' },
  }, deadlineMs());
}

function notify(key: string, code: string, minute: number): Promise<void> {
  const date = `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`;
  const notification = { ...aNotification(code, { date }), tracking_number: key };
  return env.topics.log.append({
    topic: NOTIFICATIONS, key,
    value: Buffer.from(JSON.stringify({ type: 'NotificationRecorded', notification })),
    headers: {
      client: 'carrier-1', 'received-at': String(Date.now()), 'ingest-id': `${key}-${minute}`,
    },
  }, deadlineMs());
}

const count = async (table: string, where = '1') => Number((await env.tables.admin.query(
  `SELECT count() AS n FROM ${table} FINAL WHERE ${where}`,
))[0]?.['n']);
const journeyEvents = async (number: string) => (await env.tables.analyst.query(
  `SELECT code, outcome FROM v_journeys WHERE tracking_number = {number:String}
   ORDER BY journey_k_offset`, { number },
)).map(({ code, outcome }) => `${String(code)} ${String(outcome)}`);
const lengthOf = async (topic: string) => {
  let length = 0;
  await env.topics.reader.readToEnd([topic], (records) => {
    length += records.length;
    return Promise.resolve();
  });
  return length;
};

async function writerIsDone(): Promise<void> {
  await expect.poll(async () => {
    const lengths = await Promise.all(WRITTEN.map(lengthOf));
    return writer.handled() >= lengths.reduce((a, b) => a + b, 0);
  }, WAIT).toBe(true);
}

/** A log that writes, but breaks off at the first fact about a dead letter. */
function crashing(log: RecordLog): RecordLog {
  return {
    append: (record, until) => (record.topic === 'dead-letter-repairs.v1'
      ? Promise.reject(new Unavailable('log_unavailable', 'append', 'as the test asked'))
      : log.append(record, until)),
  };
}

describe('A record that the table refuses', () => {
  it('costs exactly itself among 5,000, and is stored once after the repair, however often', async () => {
    env.refusedTexts.add('"device-2500"');
    for (let at = 0; at < 5_000; at += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, each) => aPost(at + each)));
    }
    await expect.poll(() => count('locations'), WAIT).toBe(4_999);
    await expect.poll(() => count('dead_letters'), WAIT).toBe(1);
    expect(await count('locations', 'device_id = \'device-2500\'')).toBe(0);
    const [row] = await env.tables.analyst.query('SELECT * FROM v_dead_letters');
    expect(row).toMatchObject({
      topic: LOCATIONS, stage: 'insert', code: 'sink_rejected', dead_letters: '1', open: '1',
      items: '1', workers: ['table-writer'],
    });
    const listed = await env.dlq(['ls']);
    expect(listed.value).toMatchObject([{
      signature: row?.['signature'], sample: row?.['sample'], hint: row?.['hint'], open: 1,
    }]);
    const shown = await env.dlq(['show', String(row?.['sample'])]);
    expect(shown.value).toMatchObject({ key: 'device-2500', headers: { client: 'c1' } });
    expect((shown.value as { value: string }).value).toContain('post_timestamp');

    env.refusedTexts.clear();
    const before = await lengthOf(LOCATIONS);
    const dry = await env.dlq(['replay', '--all', '--dry-run']);
    expect(dry).toMatchObject({ exitCode: 0, value: { replayed: [row?.['sample']] } });
    expect(await lengthOf(LOCATIONS)).toBe(before);
    const broken = await env.dlq(['replay', '--all'], { log: crashing(env.topics.log) });
    expect(broken).toMatchObject({ exitCode: 1, value: { replayed: [] } });
    const signature = String(row?.['signature']);
    expect(await env.dlq(['replay', '--signature', signature])).toMatchObject({
      exitCode: 0, value: { replayed: [row?.['sample']], refused: [] },
    });
    expect((await env.dlq(['replay', '--signature', signature])).value)
      .toMatchObject({ replayed: [] });
    expect(await lengthOf(LOCATIONS)).toBe(before + 2);
    await expect.poll(() => count('locations'), WAIT).toBe(5_000);
    await writerIsDone();
    expect(await count('locations')).toBe(5_000);
    expect((await env.dlq(['ls'])).value).toEqual([]);
    await expect.poll(async () => (await env.tables.analyst.query(
      'SELECT open FROM v_dead_letters',
    )), WAIT).toEqual([{ open: '0' }]);
  }, 60_000);
});

describe('A notification that the projector cannot read yet', () => {
  const isLater = (record: { readonly headers: Readonly<Record<string, string>> }) => (
    record.headers['ingest-id'] === 'RST-A-12'
  );

  it('parks its shipment over a restart; after the repair all is classified once, in order', async () => {
    const old = await env.projector(PROJECTORS, isLater);
    await notify('RST-A', 'EX-HUB', 10);
    await notify('RST-A', 'EX-ON-ROUTE', 12);
    await notify('RST-A', 'EX-DELIVERED', 14);
    await notify('RST-B', 'EX-HUB', 10);
    await expect.poll(() => old.handled(), WAIT).toBe(4);
    await old.stop();
    const again = await env.projector(PROJECTORS, isLater);
    await notify('RST-A', 'EX-HUB', 16);
    await notify('RST-B', 'EX-ON-ROUTE', 12);
    await expect.poll(() => again.handled(), WAIT).toBe(2);
    await expect.poll(() => journeyEvents('RST-B'), WAIT).toEqual(['EX-HUB applied', 'EX-ON-ROUTE applied']);
    expect(await journeyEvents('RST-A')).toEqual(['EX-HUB applied']);
    const early = await env.dlq(['replay', '--topic', NOTIFICATIONS, '--wait', '15']);
    expect(early.exitCode).toBe(1);
    expect((early.value as { failed: unknown[] }).failed).toHaveLength(3);
    await again.stop();

    const mended = await env.projector(PROJECTORS);
    const end = await env.dlq(['replay', '--topic', NOTIFICATIONS, '--wait', '15']);
    expect(end).toMatchObject({ exitCode: 0, value: { refused: [], failed: [], not_taken_up: 0 } });
    await notify('RST-A', 'EX-HUB', 18);
    await expect.poll(() => journeyEvents('RST-A'), WAIT).toEqual([
      'EX-HUB applied', 'EX-ON-ROUTE applied', 'EX-DELIVERED applied',
      'EX-HUB ignored_after_final', 'EX-HUB ignored_after_final',
    ]);
    expect((await env.dlq(['replay', '--all'])).value).toMatchObject({ replayed: [] });
    // The table writer had stored every notification at once; nothing of it is there twice.
    await writerIsDone();
    expect(await count('shipment_notifications', 'tracking_number = \'RST-A\'')).toBe(5);
    expect((await env.states.shipments.find('RST-A'))?.state).toMatchObject({ final: true });
    await mended.stop();
  }, 60_000);

  it('can be given up by releasing its key, and what waits behind it goes on', async () => {
    const old = await env.projector(PROJECTORS, (record) => record.headers['ingest-id'] === 'RST-C-10');
    await notify('RST-C', 'EX-HUB', 10);
    await notify('RST-C', 'EX-ON-ROUTE', 12);
    await expect.poll(() => old.handled(), WAIT).toBeGreaterThanOrEqual(2);
    expect((await env.dlq(['release', 'RST-B'])).exitCode).toBe(3);
    expect(await env.dlq(['release', 'RST-C', '--wait', '15'])).toMatchObject({
      exitCode: 0, value: { discarded: [expect.anything()], replayed: [expect.anything()] },
    });
    await expect.poll(() => journeyEvents('RST-C'), WAIT).toEqual(['EX-ON-ROUTE applied']);
    await notify('RST-C', 'EX-DELIVERED', 14);
    await expect.poll(() => journeyEvents('RST-C'), WAIT)
      .toEqual(['EX-ON-ROUTE applied', 'EX-DELIVERED applied']);
    await old.stop();
  }, 60_000);
});
