import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { keyedSecrets, sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { createIds } from '../../../services/adapters/system/system.ts';
import { operatorOperations } from '../../../services/gateways/assemble-operator.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { isUnavailable } from '../../../services/kernel/unavailable.ts';
import { createOpenDeadLetterLog } from '../../../services/operator/dead-letters/open-log.ts';
import { callOf, written } from '../../support/calls.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import type { OwnWorker } from '../../support/own-topics.ts';
import { freshGroup, openDeadLetterEnv, type DeadLetterEnv } from './env.ts';

const WAIT = { timeout: 60_000, interval: 200 };
const LOCATIONS = TOPICS.locations.name;
const POISONED = 5_000;
const CLIENT = '900000000000001';
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

/** A copy of the gateway, with what it knows for itself. */
function copy() {
  const { topics, states } = env;
  const source = {
    ...topics, open: createOpenDeadLetterLog({
      ...topics, signals: silentSignals, folds: states.folds, digest: sha256,
    }),
  };
  const operations = operatorOperations(source, {
    log: topics.log, leases: states.leases, ids: createIds(wallClock), clock: wallClock,
    secrets: keyedSecrets('pepper'),
  });
  return async <Body>(id: string, wishes: object = {}): Promise<Body> => {
    const operation = operations.find((each) => each.id === id)!;
    const answer = await operation.handle(callOf({ clientId: CLIENT, ...wishes }));
    return written(operation, answer).body as Body;
  };
}

interface Replay {
  readonly signature: string;
  readonly until: string;
  readonly remaining: number;
  readonly has_more: boolean;
}
interface Groups {
  readonly dead_letters: number;
  readonly groups: readonly { readonly signature: string; readonly dead_letters: number }[];
}

/** A worker of the release before could read none of these posts. */
async function poison(count: number): Promise<void> {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  for (let from = 0; from < count; from += 500) {
    await Promise.all(Array.from({ length: 500 }, (_, each) => {
      const device = `device-${from + each}`;
      const fix = { timestamp: nowSeconds, country_id: 'BR', latitude: 1, longitude: 2 };
      const post = { post_timestamp: nowSeconds, locations: [fix] };
      const value = Buffer.concat([Buffer.alloc(5), Buffer.from(JSON.stringify(post))]);
      return env.topics.log.append({
        topic: TOPICS.deadLetters.name, key: device, headers: {},
        value: Buffer.from(JSON.stringify({
          type: 'DeadLetter', worker: 'table-writer', stage: 'consume', code: 'record_invalid',
          detail: 'no such member', code_version: '1', at_ms: Date.now(),
          origin: {
            topic: LOCATIONS, topic_id: 'mF3kQ2xRTyCqgS8bVdE1Aw', partition: (from + each) % 12,
            offset: 1_000_000 + from + each, key: Buffer.from(device).toString('base64'),
          },
          headers: { 'client': CLIENT, 'provider': 'acme', 'n': '1', 'received-at': String(Date.now()) },
          value: value.toString('base64'),
        })),
      }, Date.now() + 30_000);
    }));
  }
}

interface ReadRecord {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Buffer;
}

async function read<Value>(topic: string, of: (record: ReadRecord) => Value) {
  const found: Value[] = [];
  await env.topics.reader.readToEnd([topic], (records) => {
    for (const record of records) if ('value' in record) found.push(of(record));
    return Promise.resolve();
  });
  return found;
}
const firsts = () => read(LOCATIONS, ({ headers }) => headers['replayed-from']);
const rows = async (table: string) => Number((await env.tables.admin.query(
  `SELECT count() AS n FROM ${table} FINAL`))[0]?.['n']);

describe('5,000 dead letters at two copies of the gateway', () => {
  it('are put back as the dry run says, each once, and the same call changes nothing', async () => {
    await poison(POISONED);
    const [one, other] = [copy(), copy()];
    const listed = await one<Groups>('list-dead-letters');
    expect(listed).toMatchObject({ dead_letters: POISONED, groups: [{ dead_letters: POISONED }] });
    const plan = await other<Replay>('show-replay', { query: { signature: listed.groups[0]?.signature } });
    expect(plan).toMatchObject({ remaining: POISONED, has_more: true });
    expect(await firsts()).toEqual([]);

    const body = { ...plan, reason: 'ticket 7' };
    let last: Replay = plan;
    let calls = 0;
    for (; last.has_more && calls < 200; calls += 1) {
      // Both at once: the one that comes second gets an outage, and asks again.
      const ends = await Promise.allSettled(
        [one, other].map((ask) => ask<Replay>('replay-dead-letters', { body })));
      for (const end of ends) {
        if (end.status === 'fulfilled') {
          if (end.value.remaining < last.remaining) last = end.value;
        } else if (!isUnavailable(end.reason)) throw end.reason;
      }
    }
    expect(last).toMatchObject({ remaining: 0, has_more: false });
    const put = await firsts();
    const once = new Set(put).size;
    expect({ done: put.length, lost: POISONED - once, doubled: put.length - once })
      .toEqual({ done: plan.remaining, lost: 0, doubled: 0 });
    const audits = await read(TOPICS.audit.name, ({ value }) => JSON.parse(value.toString('utf8')) as object);
    expect(audits[0]).toMatchObject({
      actor: CLIENT, actor_from: 'token', command: 'dlq replay', reason: 'ticket 7',
      subject: `topic:${LOCATIONS}`, records: 3_000,
    });

    expect(await one<Replay>('replay-dead-letters', { body })).toEqual(last);
    expect(await copy()<Replay>('replay-dead-letters', { body })).toEqual(last);
    expect([(await firsts()).length, (await read(TOPICS.audit.name, () => 1)).length])
      .toEqual([POISONED, audits.length]);
    expect(await other<Groups>('list-dead-letters')).toMatchObject({ dead_letters: 0, groups: [] });
    expect((await env.dlq(['ls'])).value).toEqual([]);
    await expect.poll(() => rows('locations'), WAIT).toBe(POISONED);
    await expect.poll(async () => (await env.tables.analyst.query(
      'SELECT open FROM v_dead_letters')), WAIT).toEqual([{ open: '0' }]);
    expect(await rows('locations')).toBe(POISONED);
  }, 240_000);
});
