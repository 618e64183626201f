import { beforeEach, describe, expect, it } from 'vitest';
import type { DeadLetter } from '../../../schemas/generated/types.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { shipmentSubject, type SealedPersonal } from '../../../services/kernel/personal.ts';
import { aNotification } from '../../support/notifications.ts';
import { PNG_BASE64 } from '../../support/pictures.ts';
import { aCarrier, createPullerEnv, NAME, START_MS, type PullerEnv } from './puller-env.ts';

const RST1 = NAME.tracking_number;
let env: PullerEnv;
beforeEach(async () => {
  env = createPullerEnv();
  await env.feeds.open(NAME, START_MS, NAME.tracking_number);
});

const notice = (minute: number, code = 'EX-HUB') =>
  aNotification(code, { date: `2026-11-20T10:${String(minute).padStart(2, '0')}:00-03:00` });
const codes = () => env.records()
  .map(({ value }) => (value as { notification: { code: string } }).notification.code);
const deadLetters = () => env.log.of('dead-letters.v1').map(({ value }) => value as DeadLetter);

/** It may hold anything: the dead letter holds it sealed, with the key of the feed's shipment. */
async function openedItem(base64: string): Promise<string> {
  const deadLetter = Buffer.from(base64, 'base64').toString();
  const { personal } = JSON.parse(deadLetter) as { personal: SealedPersonal };
  const subject = shipmentSubject(RST1);
  const keys = await env.personal.forReading([subject]);
  const { item } = keys.open('DeadLetter', subject, personal) as { item: string };
  return Buffer.from(item, 'base64').toString();
}

const queries = () => env.carrier.asked.map(({ query }) => query);
const polls = () => env.counted.filter((each) => each.startsWith('rastro_puller_polls_total'))
  .map((each) => each.split(' ')[1]);

describe('A page of a feed', () => {
  it('[PULL-06] is in the log as a push is, with its source and in its order', async () => {
    env.parties = [aCarrier({ client_id: '100000000000077' })];
    env.carrier.publish(RST1, notice(1, 'A'), notice(2, 'B'), notice(3, 'C'));
    await env.worker().poll();
    expect(env.carrier.asked).toEqual([{
      method: 'GET', path: '/api/shipping/tracking/shipments/RST1/notifications',
      query: { limit: '50' }, authorization: 'Bearer t0',
    }]);
    expect(codes()).toEqual(['A', 'B', 'C']);
    const [record] = env.records();
    expect(record).toMatchObject({
      key: 'RST1', value: { type: 'NotificationRecorded', notification: notice(1, 'A') },
      headers: { client: '100000000000077', source: 'pull', 'received-at': String(START_MS) },
    });
    expect(record?.headers['ingest-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8/);
    expect(await env.shipments.find(RST1)).toMatchObject({ carrier_client_id: '100000000000077' });
  });

  it('[GEN-48] goes on behind an item that is too large for the log, which is a dead letter', async () => {
    const large = aNotification('B', { more: 'x'.repeat(6_291_000) });
    env.carrier.publish(RST1, notice(1, 'A'), large, notice(3, 'C'));
    await env.worker().poll();
    expect(env.crashes).toEqual([]);
    expect(codes()).toEqual(['A', 'C']);
    expect(deadLetters()).toMatchObject([{ code: 'payload_too_large', stage: 'puller' }]);
    expect(JSON.parse(await openedItem(deadLetters()[0]?.value ?? ''))).toEqual(large);
  });

  it('[PULL-06] keeps numbers as they were written, and its images apart', async () => {
    const date = '2026-11-20T10:15:00Z';
    const proof = {
      proof_of_delivery: { receiver_document: { type: 'CPF', number: '1' }, image: PNG_BASE64 },
    };
    env.carrier.publish(RST1, `{"tracking_number":" RST1 ","code":"X","carrier_code":"x","payload":
      {"date":"${date}","cost":1.10,"extra":[{"a":"]},\\"\\\\"}]}}`, aNotification('X', proof));
    await env.worker().poll();
    expect(deadLetters()).toEqual([]);
    const [first, second] = env.records();
    expect(Buffer.from(first?.bytes ?? []).toString()).toContain('"cost":1.10');
    expect(first?.key).toBe(RST1);
    expect(second?.value).toMatchObject({ image: { media_type: 'image/png' } });
    expect(JSON.stringify(second?.value)).not.toContain(PNG_BASE64);
    expect(env.kept).toEqual([RST1]);
  });

  it.each([
    ['a code of another type', { ...notice(2), code: 5 }, 'validation_failed'],
    ['a long number for a code', '{"tracking_number":"RST1","code":9007199254740993,"carrier_code":"x",'
      + '"payload":{"date":"2026-11-20T10:15:00Z"}}', 'validation_failed'],
    ['a long number for its shipment', '{"tracking_number":9007199254740993,"code":"A","carrier_code":"x",'
      + '"payload":{"date":"2026-11-20T10:15:00Z"}}', 'validation_failed'],
    ['another shipment', { ...notice(2), tracking_number: 'RST2' }, 'validation_failed'],
    ['the same key twice', '{"code":"A","code":"B"}', 'duplicate_key'],
    ['too deep a value', `${'['.repeat(30)}${']'.repeat(30)}`, 'too_deep'],
    ['a list', [notice(2)], 'validation_failed'],
    ['nothing', 'null', 'validation_failed'],
  ])('[PULL-06] goes on behind %s, which goes to the dead letters', async (...row) => {
    const [, bad, code] = row;
    env.carrier.publish(RST1, notice(1, 'A'), bad, notice(3, 'C'));
    await env.worker().poll();
    expect(codes()).toEqual(['A', 'C']);
    expect(deadLetters()).toMatchObject([{
      stage: 'puller', code, origin: { topic: 'feed:p-carrier', partition: 0, offset: 1 },
      headers: { source: 'pull', client: 'p-carrier' },
    }]);
    const sent = typeof bad === 'string' ? bad : JSON.stringify(bad);
    expect(await openedItem(deadLetters()[0]?.value ?? '')).toBe(sent);
    expect(await env.feeds.load(NAME)).toMatchObject({ pages: 1, cursor: 'at-3' });
  });

  it.each([
    ['is no JSON', 'oops'], ['is about another number', {
      tracking_number: 'X', notifications: [], next_cursor: 'c', has_more: false,
    }],
    ['names a member twice', '{"tracking_number":"RST1","notifications":[],"notifications":[],'
      + '"next_cursor":"c","has_more":false}'],
    ['has no cursor', { tracking_number: RST1, notifications: [], has_more: false }],
  ])('that %s changes nothing and is asked for again', async (_what, body) => {
    env.carrier.twist = () => ({ status: 200, body });
    await env.polls(2);
    expect(polls()).toEqual(['unreadable', 'unreadable']);
    expect(env.log.appended).toEqual([]);
  });

  it('whose cursor stays where it was is taken for a fault', async () => {
    env.carrier.publish(RST1, notice(1));
    await env.worker().poll();
    const stuck = { tracking_number: RST1, notifications: [notice(2)], next_cursor: 'at-1' };
    env.carrier.twist = () => ({ status: 200, body: { ...stuck, has_more: true } });
    env.nowMs += 300_000;
    await env.worker().poll();
    expect(polls()).toEqual(['items', 'stuck']);
    expect(codes()).toHaveLength(1);
  });

  it('that is too large is asked for in smaller pieces', async () => {
    for (let at = 0; at < 5; at += 1) env.carrier.publish(RST1, notice(at));
    const ask = env.outbound;
    env.outbound = async (request) => {
      const reply = await ask(request);
      const isLarge = Number(new URL(request.url).searchParams.get('limit')) > 3;
      return reply.kind === 'answer' && isLarge ? { ...reply, isCut: true } : reply;
    };
    expect(await env.polls(4)).toEqual([0, 0, 0]);
    expect(queries().map(({ limit }) => limit)).toEqual(['50', '12', '3', '3']);
    expect(codes()).toHaveLength(5);
    await env.polls(1);
    expect(queries().at(-1)).toEqual({ limit: '50', cursor: 'at-5' });
  });
});

describe('The cursor of a feed', () => {
  it('[PULL-07] moves by smaller pages when the log was too slow for a large one', async () => {
    for (let at = 0; at < 20; at += 1) env.carrier.publish(RST1, notice(at));
    env.log.failWith('log_timeout', 1);
    await env.worker().poll();
    env.nowMs += 90_000;
    await env.worker().poll();
    expect(queries().map(({ limit }) => limit)).toEqual(['50', '12']);
    expect(await env.feeds.load(NAME)).toMatchObject({ items: 12, cursor: 'at-12' });
  });

  it('[PULL-07] is followed to the end, and from there on when there is more', async () => {
    for (let at = 0; at < 7; at += 1) env.carrier.publish(RST1, notice(at, `C${at}`));
    const limits = { pageItemsMax: 3 };
    for (let poll = 0; poll < 4; poll += 1) await env.worker(limits).poll();
    expect(queries()).toEqual([
      { limit: '3' }, { limit: '3', cursor: 'at-3' }, { limit: '3', cursor: 'at-6' },
    ]);
    env.nowMs += 300_000;
    await env.worker(limits).poll();
    env.carrier.publish(RST1, notice(8, 'C7'));
    env.nowMs += 300_000;
    await env.worker(limits).poll();
    expect(codes()).toEqual(['C0', 'C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7']);
    const facts = env.log.of('shipment.feeds.v1');
    expect(facts.map(({ value }) => value)).toMatchObject([
      { pages: 1, cursor: 'at-3', items: 3 }, { pages: 2, cursor: 'at-6', items: 6 },
      { pages: 3, cursor: 'at-7', items: 7 }, { pages: 4, cursor: 'at-8', items: 8 },
    ]);
    expect(facts[0]?.key).toBe('p-carrier|RST1');
  });

  it('[PULL-07] moves after the page is in the log, and a page comes again under its ids', async () => {
    env.carrier.publish(RST1, notice(1), notice(2));
    const append = env.log.append.bind(env.log);
    env.log.append = async (record, deadlineMs) => {
      if (env.records().length === 1) throw new Unavailable('log_unavailable', 'append', 'the test');
      await append(record, deadlineMs);
    };
    await env.worker().poll();
    expect(await env.feeds.load(NAME)).toMatchObject({ pages: 0, cursor: undefined });
    env.log.append = append;
    await env.worker().poll();
    expect(env.records()).toHaveLength(1);
    env.nowMs += 90_000;
    await env.worker().poll();
    const ids = env.records().map(({ headers }) => headers['ingest-id']);
    expect(ids).toEqual([ids[0], ids[0], ids[2]]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(await env.feeds.load(NAME)).toMatchObject({ pages: 1, cursor: 'at-2' });
    expect(env.crashes).toEqual([]);
  });

  it('puts a feed off that is old and was never polled: the store was lost', async () => {
    env.nowMs += 301_000;
    await env.worker().poll();
    expect(env.carrier.asked).toEqual([]);
    expect(env.feeds.feedsDue('p-carrier').get(RST1)).toBe(env.nowMs + 150_000);
    await env.polls(1);
    expect(env.carrier.asked).toHaveLength(1);
  });
});
