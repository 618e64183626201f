import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { createIds } from '../../../services/adapters/system/system.ts';
import { overflowOperations } from '../../../services/gateways/assemble-operator.ts';
import { callOf, written } from '../../support/calls.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aFlood, fakeOverflow, type FakeOverflow } from '../../support/fake-overflow.ts';
import { fakeStates } from '../../support/fake-states.ts';
import { aClient, aRegistration, placed } from '../../support/state-facts.ts';

const NOW_MS = 1_764_000_000_000;
const NOW = '2025-11-24T16:00:00.000Z';
const DEVICE = '6f1c2d3e-4b5a-5c6d-8e7f-9a0b1c2d3e4f';
const OPERATOR = '900000000000001';
let log: FakeRecordLog;
let source: FakeOverflow;
let states: ReturnType<typeof fakeStates>;

beforeEach(async () => {
  log = fakeRecordLog();
  source = fakeOverflow(log);
  states = fakeStates();
  const client = aClient({ providers: ['acme'] });
  await states.access.applyClient(client);
  await states.devices.apply(placed([aRegistration(client, { device_id: DEVICE })]));
});

async function ask(id: string, body?: object) {
  const clock = { nowMs: () => NOW_MS };
  const operation = overflowOperations(source, states, {
    log, leases: states.leases, ids: createIds(clock), clock, secrets: keyedSecrets('pepper'),
  }).find((each) => each.id === id)!;
  return written(operation, await operation.handle(
    callOf({ nowMs: NOW_MS, clientId: OPERATOR, body }),
  ));
}
const list = async () => (await ask('list-overflow')).body;
const decide = (subject: string, state: string, more = {}) => (
  ask('decide-overflow', { subject, state, reason: 'ticket 7', ...more }));
const decisions = () => log.of(TOPICS.overflow.name);
const topics = () => log.appended.map(({ topic }) => topic);

describe('the list of what overflows', () => {
  it('[GEN-68] has providers with who decided, devices, and how many records wait', async () => {
    source.add(
      aFlood('swift', { ends_at_ms: NOW_MS + 60_000 }), aFlood('gone', { ends_at_ms: NOW_MS - 1 }),
      { type: 'OverflowRecorded', device_id: DEVICE, state: 'in', version: 1, at_ms: NOW_MS - 5 },
      { type: 'OverflowRecorded', device_id: 'left', state: 'out', version: 2, at_ms: NOW_MS },
    );
    source.wait(3);
    await decide('provider:acme', 'out');
    expect(await list()).toEqual({
      has_more: false, waiting_records: 3,
      decisions: [
        { subject: 'provider:acme', state: 'out', by: 'operator', since: NOW, reason: 'ticket 7' },
        {
          subject: 'provider:swift', state: 'in', by: 'writer', since: NOW, reason: 'floods',
          until: '2025-11-24T16:01:00.000Z',
        },
        { subject: `device:${DEVICE}`, state: 'in', by: 'operator', since: '2025-11-24T15:59:59.995Z' },
      ],
    });
  });

  it('is empty where nothing was ever decided, and an outage while the log is away', async () => {
    expect(await list()).toEqual({ decisions: [], waiting_records: 0, has_more: false });
    source.lose();
    await expect(list()).rejects.toMatchObject({ code: 'log_unavailable' });
  });
});

describe('a move into overflow or out of it', () => {
  it('[GEN-50] is in the audit with who and why, and then in the log as the command line writes it', async () => {
    expect(await decide('provider:acme', 'in', { minutes: 120 })).toMatchObject({ status: 200, body: {
      subject: 'provider:acme', state: 'in', by: 'operator', since: NOW, until: '2025-11-24T18:00:00.000Z',
    } });
    await decide('provider:acme', 'out');
    const twice = [TOPICS.audit.name, TOPICS.overflow.name];
    expect(topics()).toEqual([...twice, ...twice]);
    expect(log.of(TOPICS.audit.name).map(({ value }) => value)).toMatchObject(
      ['overflow add', 'overflow rm'].map((command) => ({
        actor: OPERATOR, actor_from: 'token', command, touches: 'overflow', subject: 'provider:acme',
        reason: 'ticket 7',
      })));
    expect(decisions()).toMatchObject([
      {
        key: 'provider:acme',
        value: { by: 'operator', state: 'in', version: 1, ends_at_ms: NOW_MS + 7_200_000 },
      },
      { key: 'provider:acme', value: { by: 'operator', state: 'out', version: 2, reason: 'ticket 7' } },
    ]);
    for (const { value } of decisions()) {
      expect(loadSchemas().checkOf('OverflowRecorded')(value)).toBeUndefined();
    }
  });

  it('moves a device, and gives the same answer again without writing', async () => {
    const first = await decide(`device:${DEVICE}`, 'in');
    expect(first).toMatchObject({ status: 200, body: { subject: `device:${DEVICE}`, state: 'in' } });
    const written = topics().length;
    expect(await decide(`device:${DEVICE}`, 'in', { reason: 'another' })).toEqual(first);
    expect(topics()).toHaveLength(written);
    await decide(`device:${DEVICE}`, 'out');
    expect(decisions().map(({ key }) => key)).toEqual([DEVICE, DEVICE]);
  });

  it('takes a provider out that a writer moved, though no client of it is known', async () => {
    source.add(aFlood('swift'));
    expect(await decide('provider:swift', 'out')).toMatchObject({ status: 200, body: { state: 'out' } });
    expect(await list()).toMatchObject({ decisions: [{ subject: 'provider:swift', state: 'out' }] });
  });

  it.each([
    ['provider:acmee', 'in', 'provider_not_found'],
    [`device:${DEVICE.replace('6f', '7f')}`, 'in', 'device_not_found'],
    [`device:${DEVICE}`, 'out', 'device_not_found'],
  ])('of %s %s is refused, and writes nothing', async (subject, state, code) => {
    expect(await decide(subject, state)).toMatchObject({ status: 404, body: { code } });
    expect(log.appended).toEqual([]);
  });

  it('of a device for a time is refused', async () => {
    expect(await decide(`device:${DEVICE}`, 'in', { minutes: 5 })).toMatchObject({
      status: 400, body: { errors: [{ pointer: '/minutes' }] },
    });
    expect(log.appended).toEqual([]);
  });

  it('that cannot be audited is not made', async () => {
    log.failWith('log_unavailable', 1);
    await expect(decide('provider:acme', 'in')).rejects.toMatchObject({ code: 'log_unavailable' });
    expect(log.appended).toEqual([]);
  });

  it('waits for no other: of two at once one is an outage, and no version is there twice', async () => {
    const ends = await Promise.allSettled([
      decide('provider:acme', 'in', { minutes: 5 }), decide('provider:acme', 'in', { minutes: 9 }),
    ]);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await decide('provider:acme', 'out');
    expect(decisions().map(({ value }) => (value as { version: number }).version)).toEqual([1, 2]);
  });
});
