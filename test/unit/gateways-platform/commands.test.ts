import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { sendCommand } from '../../../services/gateways/platform/operations/send-command.ts';
import { showCommand } from '../../../services/gateways/platform/operations/show-command.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import { fakePlatformHistory, type FakePlatformHistory } from '../../support/fake-platform-history.ts';
import { callOf, written, type CallWishes } from '../../support/calls.ts';
import { aCommand, aParty, aResult, aTelemetryRequest } from '../../support/command-facts.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';

const NOW = 1_764_000_000_000;
const BODY = {
  command: 'start_tracking', transport: { id: 42, license_plate: 'ABC1D23', country_id: 'BR' },
};

let log: FakeRecordLog;
let states: MemoryStates;
let send: Operation;
let show: Operation;
let platformHistory: FakePlatformHistory;

beforeEach(async () => {
  log = fakeRecordLog();
  platformHistory = fakePlatformHistory();
  states = memoryStates(() => NOW);
  await states.parties.apply(aParty());
  send = sendCommand({ raceWaitMsMax: 0, racePollMs: 1 }, {
    log, commands: states.commands, commandKeys: states.commandKeys, parties: states.parties,
    clock: { nowMs: () => NOW }, pause: async () => undefined, digest: sha256,
    ids: { ingestId: () => 'command-1', nonce: () => 'n' },
  });
  show = showCommand({ commands: states.commands, platformHistory });
});

async function ask(operation: Operation, wishes: CallWishes) {
  return written(operation, await operation.handle(callOf(wishes)));
}

const issue = (body: object = BODY, provider = 'acme') =>
  ask(send, { body, params: { provider } });
const pollOnce = (command_id: string, provider = 'acme') =>
  ask(show, { params: { provider, command_id } });

describe('the command API of the platform', () => {
  it('answers 202 with the id once the log has the command, keyed by its transport', async () => {
    const { status, body, headers } = await issue();
    expect(status).toBe(202);
    expect(body).toEqual({ status: 202, message: 'Accepted', command_id: 'command-1' });
    expect(headers).toEqual({ 'Ingest-Id': 'command-1' });
    expect(log.of('provider.commands.v1')).toMatchObject([{
      key: '42',
      value: {
        type: 'ProviderCommandIssued', command_id: 'command-1', provider: 'acme',
        command_key: '42', body: BODY, country_id: 'DE', at_ms: NOW,
      },
      headers: { provider: 'acme', client: '100000000000001' },
    }]);
  });

  it('keys routes by the first of them', async () => {
    await issue({ command: 'cancel_planned_routes', planned_routes: [{ route_id: 5 }] });
    expect(log.appended[0]?.key).toBe('route:5');
  });

  it('[PLT-11] shows the deferred answer of the provider that was asked, once it came', async () => {
    const { body } = aTelemetryRequest('cmVx', 42);
    const id = String((await issue(body)).body['command_id']);
    const before = (await pollOnce(id)).body;
    expect(before).not.toHaveProperty('deferred_answer');
    const answer = { received_at_ms: NOW, answers: 1, route_distance: 3, events: [] };
    platformHistory.answers.set('best cmVx', answer);
    expect((await pollOnce(id)).body).toEqual(before);
    platformHistory.answers.set('acme cmVx', {
      ...answer,
      events: [{
        name: 'speeding_ops', start_date_ms: NOW, end_date_ms: NOW, latitude: 1, metadata: [],
      }],
    });
    const at = '2025-11-24T16:00:00.000Z';
    expect((await pollOnce(id)).body).toEqual({
      ...before as object,
      deferred_answer: {
        received_at: at, answers: 1, route_distance: 3,
        events: [{ name: 'speeding_ops', start_date: at, end_date: at, latitude: 1 }],
      },
    });
    platformHistory.lose();
    await expect(pollOnce(id)).rejects.toMatchObject({ code: 'sink_unavailable' });
  });

  it('shows what was just issued, and every state after it', async () => {
    await issue();
    expect((await pollOnce('command-1')).body).toEqual({
      command_id: 'command-1', provider: 'acme', command: 'start_tracking',
      transport: { id: 42 }, state: 'queued', attempts: 0,
      issued_at: '2025-11-24T16:00:00.000Z',
    });
    const command = aCommand('start_tracking', 42, { command_id: 'command-1' });
    await states.commands.applyResults([aResult(command, {
      outcome: 'retry', status: 500, attempt: 3, at_ms: NOW + 1_000,
      next_attempt_at_ms: NOW + 5_000,
    })]);
    expect((await pollOnce('command-1')).body).toMatchObject({
      state: 'sending', attempts: 3, last_status: 500, last_reason: 'answered',
      last_attempt_at: '2025-11-24T16:00:01.000Z', next_attempt_at: '2025-11-24T16:00:05.000Z',
    });
    await states.commands.applyResults([
      aResult(command, { outcome: 'cancelled', attempt: 4, cancelled_by: 'stop-1' }),
    ]);
    expect((await pollOnce('command-1')).body)
      .toMatchObject({ state: 'cancelled', cancelled_by: 'stop-1' });
  });

  it.each(['done', 'refused', 'ended'] as const)('says %s of what ended so', async (outcome) => {
    const command = aCommand('stop_tracking', 42);
    await states.commands.put(command);
    await states.commands.applyResults([aResult(command, { outcome })]);
    expect((await pollOnce(command.command_id)).body).toMatchObject({ state: outcome });
  });

  it('shows a command of another provider like a missing one', async () => {
    await issue();
    const foreign = await pollOnce('command-1', 'best');
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(await pollOnce('no-such', 'best'));
  });

  it('takes nothing for a provider that is not called', async () => {
    const { status, body } = await issue(BODY, 'unknown');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'party_not_found' });
    expect(log.appended).toEqual([]);
  });

  it('fails as a fault without the log, and does not ask twice without the store', async () => {
    log.failWith('log_unavailable', 1);
    await expect(issue()).rejects.toMatchObject({ code: 'log_unavailable' });
    const operation = sendCommand({ raceWaitMsMax: 0, racePollMs: 1 }, {
      log, parties: states.parties, clock: { nowMs: () => NOW }, pause: async () => undefined,
      commandKeys: states.commandKeys, digest: sha256,
      ids: { ingestId: () => 'command-2', nonce: () => 'n' },
      commands: fakeFailing(),
    });
    expect((await ask(operation, { body: BODY, params: { provider: 'acme' } })).status).toBe(202);
  });
});

function fakeFailing() {
  const failing = memoryStates();
  failing.failWith('state_unavailable');
  return failing.commands;
}
