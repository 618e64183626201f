import { beforeEach, describe, expect, it } from 'vitest';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { callSubject } from '../../../services/domain/authorization/sealed-facts.ts';
import type { AuthorizationAsked } from '../../../services/kernel/authorization-calls.ts';
import { authorizationCommand } from '../../../services/cli/authorization/command.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { anAsk, aRequest, aTry } from '../../support/authorization-facts.ts';
import { recordingPersonal, type RecordingPersonal } from '../../support/fake-personal.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { aParty } from '../../support/command-facts.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';

const TOPIC = 'shipment.authorization-calls.v1';
const PARTIES = [
  aParty({ party_id: 'p-carrier', kind: 'carrier' }), aParty({ party_id: 'p-provider' }),
];
const schemas = loadSchemas();
let log: FakeRecordLog;
let facts: object[];
let seals: RecordingPersonal;
beforeEach(() => {
  log = fakeRecordLog();
  facts = [];
  seals = recordingPersonal();
});

function run(...args: string[]) {
  const ports = {
    log, schemas, personal: seals.personal, clock: { nowMs: () => 7 }, ids: { ingestId: () => 'call-1', nonce: () => 'n' },
    reader: fakeLogReader([
      ...facts.map((fact, offset) => aLogRecord(TOPIC, offset, fact)),
      ...PARTIES.map((party, offset) => aLogRecord(TOPICS.parties.name, offset, party)),
    ]),
  };
  return authorizationCommand(ports as unknown as OperatorPorts, args);
}
const appended = () => log.of(TOPIC).map(({ value }) => {
  const fact = value as AuthorizationAsked;
  return seals.opened(callSubject(fact), fact) as AuthorizationAsked;
});

describe('rastro authorization', () => {
  it('[AUTH-54] send records what a carrier is to authorize', async () => {
    const request = aRequest();
    const report = await run('send', 'p-carrier', '--body', JSON.stringify(request));
    expect(report).toMatchObject({ exitCode: 0, value: { call_id: 'call-1', state: 'queued' } });
    expect(appended()).toEqual([{
      type: 'AuthorizationAsked', call_id: 'call-1', carrier: 'p-carrier', round: 1,
      transport_order_id: request.transport_order_id, shipment_id: '41234567890',
      client_id: 'operator', request, at_ms: 7,
    }]);
  });

  it('send refuses what the carrier could not take', async () => {
    for (const body of ['{', '{}', 'null']) {
      expect((await run('send', 'p-carrier', '--body', body)).exitCode).toBe(2);
    }
    expect((await run('send')).exitCode).toBe(2);
    for (const party of ['p-none', 'p-provider']) {
      const { exitCode } = await run('send', party, '--body', JSON.stringify(aRequest()));
      expect([exitCode, log.appended]).toEqual([3, []]);
    }
    expect(appended()).toEqual([]);
  });

  it('list and show print the state of a call, and nothing of persons', async () => {
    const [one, two] = [anAsk('one'), anAsk('two')];
    facts = [one, two, aTry(one, 1, { outcome: 'authorized', tracking_number: 'RS1' }), aTry(two, 1)];
    const all = await run('list');
    expect(all.value).toMatchObject([
      { call_id: 'one', state: 'authorized', tracking_number: 'RS1' },
      { call_id: 'two', state: 'retrying', tries: 1 },
    ]);
    expect((await run('list', '--state', 'retrying')).value).toHaveLength(1);
    expect(JSON.stringify([all, await run('show', 'one')])).not.toContain('Souza');
    expect((await run('show', 'three')).exitCode).toBe(3);
  });

  it('[AUTH-46] retry opens another round for what was parked, and only for that', async () => {
    const asked = anAsk('one');
    facts = [asked];
    expect((await run('retry', 'one')).exitCode).toBe(2);
    facts = [asked, aTry(asked, 10, { outcome: 'parked' })];
    expect((await run('retry', 'one')).value).toMatchObject({ round: 2, state: 'queued', tries: 0 });
    expect(appended()).toMatchObject([{ call_id: 'one', round: 2, request: asked.request }]);
  });

  it('cancel ends the tries once, and of nothing that has ended', async () => {
    const [one, two] = [anAsk('one'), anAsk('two')];
    facts = [one, aTry(one, 1), two, aTry(two, 1, { outcome: 'authorized', tracking_number: 'RS1' })];
    const cancelled = await run('cancel', 'one');
    expect(cancelled).toMatchObject({ exitCode: 0, value: { call_id: 'one', state: 'cancelled' } });
    expect(log.of(TOPIC)).toMatchObject([{
      key: one.transport_order_id,
      value: { type: 'AuthorizationTried', call_id: 'one', attempt: 2, reason: 'cancelled', at_ms: 7 },
    }]);
    facts = [...facts, ...log.of(TOPIC).map(({ value }) => value as object)];
    expect((await run('cancel', 'one')).value).toEqual(cancelled.value);
    const ended = await run('cancel', 'two');
    expect([ended.exitCode, ended.lines]).toEqual([2, ['It is authorized; there is nothing left to cancel.']]);
    expect((await run('cancel', 'three')).exitCode).toBe(3);
    expect(log.of(TOPIC)).toHaveLength(1);
  });
});
