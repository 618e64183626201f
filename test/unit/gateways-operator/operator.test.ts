import { beforeEach, describe, expect, it } from 'vitest';
import { openOperator, type OperatorEnv, type OperatorAnswer } from './operator-env.ts';

const LOCATIONS = 'rtt.locations.v1';
const REPAIRS = 'dead-letter-repairs.v1';
const NEVER = 'f'.repeat(16);
let at: OperatorEnv;
beforeEach(() => { at = openOperator(); });

interface Groups {
  readonly groups: readonly { readonly signature: string }[];
}
const signatures = async () => (
  (await at.list()).body as unknown as Groups).groups.map(({ signature }) => signature);
async function planned(): Promise<{ signature: string; until: string; remaining: number }> {
  const [signature = ''] = await signatures();
  return (await at.plan({ signature })).body as never;
}
const firsts = (topic = LOCATIONS) => at.log.of(topic).map(({ headers }) => headers['replayed-from']);
async function toTheEnd(
  body: object, callsMax = 50,
): Promise<{ calls: number; last: OperatorAnswer }> {
  for (let calls = 1; calls <= callsMax; calls += 1) {
    const last = await at.replay(body);
    if (last.body['has_more'] !== true) return { calls, last };
  }
  throw new Error(`There is more after ${callsMax} calls.`);
}

describe('the list of dead letters', () => {
  it('groups what is open by its signature, the most first, with a sample without its value', async () => {
    const ids = [1, 2, 3].map((offset) => at.deadLetters.add(LOCATIONS, offset, { detail: `line ${offset}x` }));
    at.deadLetters.add('rtt.telemetry-events.v1', 4, { code: 'record_invalid' });
    const { status, body } = await at.list();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dead_letters: 4, has_more: false,
      groups: [{
        topic: LOCATIONS, stage: 'insert', code: 'sink_rejected', detail: 'line 3x',
        workers: ['table-writer'], dead_letters: 3,
        first_at: '2025-11-24T16:00:00.001Z', last_at: '2025-11-24T16:00:00.003Z',
        hint: expect.stringContaining('widen the column'),
        sample: { id: ids[2], key: 'key-3', headers: { provider: 'acme' }, value_bytes: 12 },
      }, { dead_letters: 1, code: 'record_invalid' }],
    });
    expect(JSON.stringify(body)).not.toMatch(/"value"|eyJhIjoxfQ|\{\\"a/);
  });

  it('reads the first ones of very many, and says that there are more', async () => {
    at = openOperator({ openMax: 2 });
    for (const offset of [1, 2, 3]) at.deadLetters.add(LOCATIONS, offset);
    expect((await at.list()).body).toMatchObject({
      dead_letters: 3, has_more: true, groups: [{ dead_letters: 2 }],
    });
    await toTheEnd({ ...await planned(), reason: 't' });
    expect((await at.list()).body).toMatchObject({ dead_letters: 1, has_more: false });
  });

  it('is an outage for a gateway that would have to hold too many', async () => {
    at = openOperator({ tailMax: 2 });
    for (const offset of [1, 2]) at.deadLetters.add(LOCATIONS, offset);
    expect((await at.list()).body).toMatchObject({ dead_letters: 2 });
    for (const offset of [3, 4, 5]) at.deadLetters.add(LOCATIONS, offset);
    await expect(at.list()).rejects.toMatchObject({ code: 'state_not_ready' });
  });
});

describe('the dry run of a replay', () => {
  it('counts what would be put back and says what is held back and why, and writes nothing', async () => {
    for (const offset of [1, 2, 3]) at.deadLetters.add(LOCATIONS, offset);
    at.deadLetters.add(LOCATIONS, 4, { value: 'bm8=' });
    const [signature] = await signatures();
    expect((await at.plan({ signature: signature! })).body).toEqual({
      signature, until: '2025-11-24T16:00:00.004Z', remaining: 3, has_more: true,
      held_back: [{ why: 'the bytes are in no frame', dead_letters: 1 }],
    });
    expect(at.log.appended).toEqual([]);
  });

  it('is nothing for a signature of which nothing is open', async () => {
    expect((await at.plan({ signature: NEVER })).body)
      .toMatchObject({ remaining: 0, held_back: [], has_more: false });
  });

  it.each([[{}, 'missing_parameter'], [{ signature: 'F'.repeat(16) }, 'invalid_parameter']])(
    'refuses %j', async (query, code) => {
      expect(await at.plan(query)).toMatchObject({ status: 400, body: { code } });
    },
  );
});

describe('a replay', () => {
  it('puts back what the dry run counted, each once, and the same call changes nothing more', async () => {
    for (let offset = 0; offset < 5_000; offset += 1) at.deadLetters.add(LOCATIONS, offset);
    const body = { ...await planned(), reason: 'ticket 7' };
    expect(body.remaining).toBe(5_000);
    const { calls, last } = await toTheEnd(body);
    expect(calls).toBeLessThan(5);
    expect([firsts().length, new Set(firsts()).size]).toEqual([5_000, 5_000]);
    expect(at.log.of(REPAIRS)).toHaveLength(5_000);
    const before = at.log.appended.length;
    expect(await at.replay(body)).toEqual(last);
    expect(at.log.appended).toHaveLength(before);
    expect((await at.list()).body).toMatchObject({ dead_letters: 0, groups: [] });
  }, 60_000);

  it('leaves what came after the dry run', async () => {
    at.deadLetters.add(LOCATIONS, 1);
    const body = { ...await planned(), reason: 't' };
    const late = at.deadLetters.add(LOCATIONS, 2);
    await toTheEnd(body);
    expect(firsts()).toEqual(['T:1:1']);
    expect((await at.list()).body).toMatchObject({ groups: [{ sample: { id: late } }] });
  });

  it('is in the audit with client, topic and reason before its first record', async () => {
    at.deadLetters.add(LOCATIONS, 1);
    await at.replay({ ...await planned(), reason: 'ticket 7' });
    expect(at.log.appended.map(({ topic }) => topic)).toEqual(['platform.audit.v1', LOCATIONS, REPAIRS]);
    expect(at.log.of('platform.audit.v1')[0]?.value).toMatchObject({
      actor: '900000000000001', actor_from: 'token', command: 'dlq replay',
      touches: 'dead-letters', subject: `topic:${LOCATIONS}`, reason: 'ticket 7', records: 1,
    });
  });

  it('that cannot be audited puts nothing back', async () => {
    at.deadLetters.add(LOCATIONS, 1);
    const body = { ...await planned(), reason: 't' };
    at.log.failWith('log_unavailable', 1);
    await expect(at.replay(body)).rejects.toMatchObject({ code: 'log_unavailable' });
    expect(at.log.appended).toEqual([]);
  });

  it('begins no record after half of its time, and the next call goes on', async () => {
    for (let offset = 0; offset < 24; offset += 1) at.deadLetters.add(LOCATIONS, offset);
    const body = { ...await planned(), reason: 't' };
    at.clock.stepMs = 100;
    const { body: first } = await at.replay(body);
    expect(first['remaining']).toBeGreaterThan(0);
    expect(first['remaining']).toBeLessThan(24);
    const { last } = await toTheEnd(body);
    expect(last.body).toMatchObject({ remaining: 0, has_more: false });
    expect(new Set(firsts()).size).toBe(24);
  });

  it('goes on after an outage where it was broken off', async () => {
    for (const offset of [1, 13, 25]) at.deadLetters.add(LOCATIONS, offset);
    const body = { ...await planned(), reason: 't' };
    at.log.failWith('log_unavailable');
    await expect(at.replay(body)).rejects.toMatchObject({ code: 'log_unavailable' });
    at.log.heal();
    await toTheEnd(body);
    expect(firsts()).toEqual(['T:1:1', 'T:1:13', 'T:1:25']);
  });

  it('waits for another one: no two calls take one record', async () => {
    at.deadLetters.add(LOCATIONS, 1);
    const body = { ...await planned(), reason: 't' };
    at.log.hold();
    const one = at.replay(body);
    await expect.poll(() => at.log.held()).toBe(1);
    await expect(at.replay(body)).rejects.toMatchObject({ code: 'state_busy' });
    at.log.release();
    expect((await one).body).toMatchObject({ remaining: 0 });
    expect((await at.replay(body)).body).toMatchObject({ remaining: 0 });
    expect(firsts()).toEqual(['T:1:1']);
  });

  it('takes all dead letters of a shipment with it, in their order', async () => {
    const notification = { worker: 'journey', stage: 'consume' };
    const key = Buffer.from('RST-1').toString('base64');
    const of = (offset: number) => ({
      topic: 'shipment.notifications.v1', topic_id: 'T', partition: 0, offset, key,
    });
    at.deadLetters.add('shipment.notifications.v1', 0, { ...notification, code: 'record_invalid', origin: of(5) });
    at.deadLetters.add('shipment.notifications.v1', 0, { ...notification, code: 'key_parked', origin: of(6) });
    const body = { ...await planned(), reason: 't' };
    expect(body.remaining).toBe(2);
    await toTheEnd(body);
    expect(firsts('shipment.notifications.v1')).toEqual(['T:0:5', 'T:0:6']);
  });

  it('closes a dead letter of a worker whose clock is ahead', async () => {
    at.deadLetters.add(LOCATIONS, 1, { at_ms: 1_900_000_000_000 });
    const body = { ...await planned(), reason: 't' };
    await toTheEnd(body);
    await at.replay(body);
    expect(firsts()).toEqual(['T:1:1']);
  });

  it('closes further dead letters of a record with it, and counts them', async () => {
    const headers = { 'replayed-from': 'T:1:3' };
    at.deadLetters.add(LOCATIONS, 9, { headers });
    at.deadLetters.add(LOCATIONS, 11, { headers });
    const body = { ...await planned(), reason: 't' };
    expect(body.remaining).toBe(2);
    expect((await at.replay(body)).body).toMatchObject({ remaining: 0, has_more: false });
    expect(firsts()).toEqual(['T:1:3']);
  });
});
