import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { OverflowDecision, OverflowList } from '../../../schemas/generated/types.ts';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { createIds } from '../../../services/adapters/system/system.ts';
import { overflowCommand } from '../../../services/cli/overflow/command.ts';
import { overflowOperations } from '../../../services/gateways/assemble-operator.ts';
import { readOverflow } from '../../../services/kernel/read-overflow.ts';
import { isUnavailable } from '../../../services/kernel/unavailable.ts';
import { callOf, written } from '../../support/calls.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { openOwnTopics, type OwnTopics } from '../../support/own-topics.ts';
import { aClient, aRegistration, placed } from '../../support/state-facts.ts';

const PROVIDER = 'acme';
const DEVICE = randomUUID();
let topics: OwnTopics;
let states: OpenedRedis;
beforeAll(async () => {
  topics = await openOwnTopics([
    TOPICS.overflow.name, TOPICS.overflowLocations.name, TOPICS.audit.name,
  ]);
  states = await openRedisStates();
  const client = aClient({ providers: [PROVIDER] });
  await states.access.applyClient(client);
  await states.devices.apply(placed([aRegistration(client, { device_id: DEVICE })]));
}, 60_000);
afterAll(async () => {
  await states.close();
  await topics.close();
});

/** A copy of the gateway. */
function copy() {
  const operations = overflowOperations(topics, states, {
    log: topics.log, leases: states.leases, ids: createIds(wallClock), clock: wallClock,
    secrets: keyedSecrets('pepper'),
  });
  return async <Body>(id: string, body?: object): Promise<Body> => {
    const operation = operations.find((each) => each.id === id)!;
    const answer = await operation.handle(callOf({ clientId: '900000000000001', body }));
    return written(operation, answer).body as Body;
  };
}
const move = (subject: string, state: string, more = {}) => (
  { subject, state, reason: 'ticket 7', ...more });
const decided = () => readOverflow(topics.reader, TOPICS.overflow.name);

describe('moves by two copies of the gateway', () => {
  it('[GEN-68] are what table writers and the command line read, each version once', async () => {
    const [one, other] = [copy(), copy()];
    expect(await one<OverflowDecision>('decide-overflow', move(`device:${DEVICE}`, 'in')))
      .toMatchObject({ subject: `device:${DEVICE}`, state: 'in', by: 'operator' });
    for (let round = 1; round <= 3; round += 1) {
      const ends = await Promise.allSettled([one, other].map((ask) => (
        ask('decide-overflow', move(`provider:${PROVIDER}`, 'in', { minutes: 60 + round })))));
      for (const end of ends) {
        if (end.status === 'rejected' && !isUnavailable(end.reason)) throw end.reason;
      }
    }
    const { devices, providers } = await decided();
    expect(devices.get(DEVICE)).toMatchObject({ state: 'in', version: 1, reason: 'ticket 7' });
    expect(providers.get(PROVIDER)?.operator).toMatchObject({ state: 'in' });
    const versions: number[] = [];
    await topics.reader.readToEnd([TOPICS.overflow.name], (records) => {
      for (const record of records) {
        if (!('value' in record) || record.key !== `provider:${PROVIDER}`) continue;
        versions.push((JSON.parse(record.value.toString('utf8')) as { version: number }).version);
      }
      return Promise.resolve();
    });
    expect(versions).toEqual(versions.map((_, at) => at + 1));
    expect(versions.length).toBeGreaterThanOrEqual(3);

    const listed = await other<OverflowList>('list-overflow');
    expect(listed).toMatchObject({ waiting_records: 0, has_more: false, decisions: [
      { subject: `provider:${PROVIDER}`, state: 'in' }, { subject: `device:${DEVICE}`, state: 'in' },
    ] });
    const { value } = await overflowCommand({ ...topics, clock: wallClock }, ['ls']);
    expect(value).toMatchObject({
      devices: [{ device_id: DEVICE }], providers: [{ provider: PROVIDER, state: 'in', by: 'operator' }],
    });
  }, 120_000);

  it('[GEN-50] are in the audit before they are in the log, and out again by either way', async () => {
    const ask = copy();
    await overflowCommand({ ...topics, clock: wallClock }, ['rm', '--provider', PROVIDER]);
    expect(await ask<OverflowList>('list-overflow')).toMatchObject({
      decisions: [{ subject: `provider:${PROVIDER}`, state: 'out' }, { subject: `device:${DEVICE}` }],
    });
    await ask('decide-overflow', move(`device:${DEVICE}`, 'out'));
    expect((await decided()).devices.get(DEVICE)).toMatchObject({ state: 'out', version: 2 });
    const audits: object[] = [];
    await topics.reader.readToEnd([TOPICS.audit.name], (records) => {
      for (const record of records) {
        if ('value' in record) audits.push(JSON.parse(record.value.toString('utf8')) as object);
      }
      return Promise.resolve();
    });
    expect(audits).toContainEqual(expect.objectContaining({
      actor: '900000000000001', actor_from: 'token', command: 'overflow rm',
      subject: `device:${DEVICE}`, reason: 'ticket 7',
    }));
  }, 60_000);
});
