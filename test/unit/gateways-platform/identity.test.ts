import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import {
  sendCommand, type SendCommandPorts,
} from '../../../services/gateways/platform/operations/send-command.ts';
import type { ProviderCommandIssued } from '../../../services/kernel/commands.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { callOf, written } from '../../support/calls.ts';
import { aParty, aTelemetryRequest, placedCommands } from '../../support/command-facts.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';

const START = {
  command: 'start_tracking', transport: { id: 42, license_plate: 'ABC1D23', country_id: 'BR' },
};
const STOP = { ...START, command: 'stop_tracking' };
const ASK = aTelemetryRequest('aWQtMQ==', 42).body;
const LEASE_MS = 10_000;

let nowMs: number;
let ids: number;
let log: FakeRecordLog;
let states: MemoryStates;

beforeEach(async () => {
  [nowMs, ids] = [1_764_000_000_000, 0];
  log = fakeRecordLog();
  states = memoryStates(() => nowMs, LEASE_MS);
  await states.parties.apply(aParty());
  await states.parties.apply(aParty({ provider: 'best' }));
});

/** A gateway; each call of this makes another one over the same store and log. */
function gateway(change: Partial<SendCommandPorts> = {}) {
  const operation = sendCommand({ raceWaitMsMax: 500, racePollMs: 1 }, {
    log, commands: states.commands, commandKeys: states.commandKeys, parties: states.parties,
    clock: { nowMs: () => nowMs }, digest: sha256,
    pause: async (ms) => {
      nowMs += ms;
      await new Promise((resolve) => { setImmediate(resolve); });
    },
    ids: { ingestId: () => `command-${ids += 1}`, nonce: () => `nonce-${ids += 1}` },
    ...change,
  });
  return async (body: object, key?: string, { provider = 'acme', clientId = '1' } = {}) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const call = callOf({ body, headers, params: { provider }, clientId, nowMs });
    return written(operation, await operation.handle(call));
  };
}

const issued = () => log.of('provider.commands.v1')
  .map(({ value }) => value as ProviderCommandIssued);

/** What the projector does with the whole log. */
const project = () => states.commands.applyCommands(placedCommands(issued()));

describe('A repeat of a command', () => {
  it('[CMD-37] with one Idempotency-Key is answered alike, and is in the log once', async () => {
    const send = gateway();
    const first = await send(START, 'key-1');
    expect(first.status).toBe(202);
    expect(await send(START, 'key-1')).toEqual(first);
    const { transport, command } = START;
    expect(await gateway()({ transport, command }, 'key-1')).toEqual(first);
    expect(issued()).toHaveLength(1);
    const other = await send(START, 'key-2');
    expect(other.body['command_id']).not.toBe(first.body['command_id']);
    expect(issued()).toHaveLength(2);
  });

  it('[CMD-37] without a key is another command', async () => {
    const send = gateway();
    expect(await send(START)).not.toEqual(await send(START));
    expect(issued()).toHaveLength(2);
  });

  it('[CMD-37] by the id of its body is the same command at one provider, any client that sends it', async () => {
    const send = gateway();
    const first = await send(ASK);
    expect(await send(ASK, undefined, { clientId: '2' })).toEqual(first);
    expect(await send(ASK, undefined, { provider: 'best' })).not.toEqual(first);
    expect(issued()).toHaveLength(2);
  });

  it('[CMD-37] under the key of another client is another command', async () => {
    const send = gateway();
    const first = await send(START, 'key-1');
    expect(await send(START, 'key-1', { clientId: '2' })).not.toEqual(first);
  });

  it.each([
    [START, STOP, 'key-1', '/header/Idempotency-Key'],
    [ASK, { ...ASK, travel: { init_date: '2025-11-24T13:00:00Z', end_date: '2025-11-24T15:00:00Z' } },
      undefined, '/id'],
  ])('[CMD-38] with another body is refused, and what to send is said', async (body, other, key, pointer) => {
    const send = gateway();
    await send(body, key);
    const { status, body: answer } = await send(other, key);
    expect(status).toBe(400);
    expect(answer).toMatchObject({
      code: 'command_key_reused', errors: [{ pointer, code: 'command_key_reused' }],
    });
    expect(issued()).toHaveLength(1);
  });

  it.each([['', 400], ['k'.repeat(255), 202], ['k'.repeat(256), 400], ['k\u00e9', 400]])(
    '[CMD-38] needs a key of 1 to 255 characters: %j', async (key, status) => {
      const answer = await gateway()(START, key);
      expect(answer.status).toBe(status);
      if (status === 400) {
        expect(answer.body).toMatchObject({ errors: [{ pointer: '/header/Idempotency-Key' }] });
      }
    },
  );
});

describe('A command with a key is in the log once', () => {
  it('[CMD-37] when two gateways get it at one moment, again and again', async () => {
    const gateways = [gateway(), gateway()];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => gateways[at % 2]!(START, `key-${at % 4}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(issued()).toHaveLength(4);
    expect(new Set(answers.map(({ body }) => body['command_id'])).size).toBe(4);
  });

  it('[CMD-37] when its gateway was killed between claim and append', async () => {
    const killed = gateway({ log: { append: () => new Promise(() => undefined) } });
    void killed(START, 'key-1');
    await expect.poll(() => ids).toBe(1);
    await new Promise((resolve) => { setImmediate(resolve); });
    await expect(gateway()(START, 'key-1')).rejects.toMatchObject({ code: 'state_busy' });
    nowMs += LEASE_MS;
    const { body } = await gateway()(START, 'key-1');
    expect(issued().map(({ command_id }) => command_id)).toEqual([body['command_id']]);
  });

  it('[CMD-37] when its gateway was killed between append and confirm', async () => {
    const killed = gateway({
      commandKeys: { ...states.commandKeys, confirm: () => new Promise(() => undefined) },
    });
    void killed(START, 'key-1');
    await expect.poll(() => issued().length).toBe(1);
    nowMs += LEASE_MS;
    const { body } = await gateway()(START, 'key-1');
    expect(issued().map(({ command_id }) => command_id)).toEqual([body['command_id']]);
  });

  it('[CMD-37] or twice under one id, which is one command to all readers of the log', async () => {
    const hidden = { ...states.commands, put: async () => undefined, find: async () => undefined };
    const killed = gateway({
      commands: hidden,
      commandKeys: { ...states.commandKeys, confirm: () => new Promise(() => undefined) },
    });
    void killed(START, 'key-1');
    await expect.poll(() => issued().length).toBe(1);
    nowMs += LEASE_MS;
    const { body } = await gateway({ commands: hidden })(START, 'key-1');
    expect(issued().map(({ command_id }) => command_id))
      .toEqual([body['command_id'], body['command_id']]);
    expect((await project()).map(({ recordId }) => recordId.offset)).toEqual([0n]);
  });

  it('[CMD-37] when the log did not answer; when it refused, the key is free at once', async () => {
    log.failWith('log_unavailable', 1);
    await expect(gateway()(START, 'key-1')).rejects.toMatchObject({ code: 'log_unavailable' });
    expect((await gateway()(START, 'key-1')).status).toBe(202);
    const lost = { append: async (...call: Parameters<FakeRecordLog['append']>) => {
      await log.append(...call);
      throw new Unavailable('log_timeout', 'append', 'no answer');
    } };
    await expect(gateway({ log: lost })(START, 'key-2')).rejects.toMatchObject({ code: 'log_timeout' });
    await project();
    expect((await gateway()(START, 'key-2')).status).toBe(202);
    expect(issued()).toHaveLength(2);
  });

  it('[CMD-41] after the store was emptied and brought back from the log', async () => {
    const first = await gateway()(START, 'key-1');
    states.wipe();
    await expect(gateway()(START, 'key-1')).rejects.toMatchObject({ code: 'state_not_ready' });
    await states.parties.apply(aParty());
    await project();
    states.markReady();
    expect(await gateway()(START, 'key-1')).toEqual(first);
    expect((await gateway()(STOP, 'key-1')).status).toBe(400);
    expect((await gateway()(START, 'key-9')).status).toBe(202);
    expect(issued()).toHaveLength(2);
  });

  it.each(['before', 'after'])(
    '[CMD-41] when the store was lost while it was being appended, and came %s its repeat',
    async (order) => {
      const gate = Promise.withResolvers<void>();
      const slow = gateway({ log: { append: async (...call: Parameters<FakeRecordLog['append']>) => {
        await gate.promise;
        await log.append(...call);
      } } })(START, 'key-1');
      await expect.poll(() => ids).toBe(1);
      await new Promise((resolve) => { setImmediate(resolve); });
      states.wipe();
      await states.parties.apply(aParty());
      states.markReady();
      if (order === 'before') {
        gate.resolve();
        await expect.poll(() => issued().length).toBe(1);
      }
      const repeat = await gateway()(START, 'key-1');
      gate.resolve();
      expect(await slow).toEqual(repeat);
      expect(repeat.status).toBe(202);
      const first = (await project())[0]!;
      expect(first.event.command_id).toBe(repeat.body['command_id']);
      expect(await project()).toEqual([first]);
      expect(await gateway()(START, 'key-1')).toEqual(repeat);
    },
  );

  it('[CMD-37] under an id that says nothing but which command it is', async () => {
    const [first, other] = [await gateway()(START, 'key-1'), await gateway()(START, 'key-2')];
    const form = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(first.body['command_id']).toMatch(form);
    expect(other.body['command_id']).not.toBe(first.body['command_id']);
    expect((await gateway()(START)).body['command_id']).toBe('command-3');
  });
});

describe('The deadline of a command', () => {
  const sendUntil = async (body: object, expires_at: string, key?: string) => {
    const operation = sendCommand({ raceWaitMsMax: 500, racePollMs: 1 }, {
      log, commands: states.commands, commandKeys: states.commandKeys, parties: states.parties,
      clock: { nowMs: () => nowMs }, digest: sha256, pause: async () => undefined,
      ids: { ingestId: () => `command-${ids += 1}`, nonce: () => `nonce-${ids += 1}` },
    });
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const call = callOf({ body, headers, params: { provider: 'acme' }, query: { expires_at }, nowMs });
    return written(operation, await operation.handle(call));
  };

  it('[CMD-42] is that of the deployment where the call says none, but for what ends something', async () => {
    const sendAt = async (commandMsMax: number | undefined, body: object, query = {}) => {
      const operation = sendCommand({ raceWaitMsMax: 500, racePollMs: 1, commandMsMax }, {
        log, commands: states.commands, commandKeys: states.commandKeys, parties: states.parties,
        clock: { nowMs: () => nowMs }, digest: sha256, pause: async () => undefined,
        ids: { ingestId: () => `command-${ids += 1}`, nonce: () => `nonce-${ids += 1}` },
      });
      const call = callOf({ body, headers: {}, params: { provider: 'acme' }, query, nowMs });
      expect(written(operation, await operation.handle(call)).status).toBe(202);
      return issued().at(-1);
    };
    expect(await sendAt(60_000, START))
      .toMatchObject({ at_ms: nowMs, expires_at_ms: nowMs + 60_000 });
    expect(await sendAt(60_000, START, { expires_at: '2030-01-01T00:00:00Z' }))
      .toMatchObject({ expires_at_ms: Date.UTC(2030, 0) });
    expect(await sendAt(60_000, STOP)).not.toHaveProperty('expires_at_ms');
    expect(await sendAt(undefined, START)).not.toHaveProperty('expires_at_ms');
  });

  it('[CMD-39] goes beside the body into the log, also one that is over', async () => {
    expect((await sendUntil(START, '2025-11-24T17:00:00+01:00', 'key-1')).status).toBe(202);
    expect(issued()[0]).toMatchObject({ body: START, expires_at_ms: 1_764_000_000_000 });
    nowMs += 3_600_000;
    expect((await sendUntil(START, '2025-11-24T17:00:00+01:00', 'key-1')).status).toBe(202);
    expect((await sendUntil(START, '2001-01-01T00:00:00Z')).status).toBe(202);
    expect(issued()).toHaveLength(2);
  });

  it.each(['', 'tomorrow', '2025-13-01T00:00:00Z', '2025-02-30T00:00:00Z', '1960-01-01T00:00:00Z'])(
    '[CMD-39] must be a date-time: %j', async (text) => {
      const { status, body } = await sendUntil(START, text);
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ pointer: '/query/expires_at', code: 'invalid_parameter' }] });
    },
  );

  it.each([STOP, { command: 'cancel_planned_routes', planned_routes: [{ route_id: 5 }] }])(
    '[CMD-40] is refused for what ends something: $command', async (body) => {
      const answer = await sendUntil(body, '2030-01-01T00:00:00Z');
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errors: [{ pointer: '/query/expires_at', code: 'not_allowed' }] });
      expect(issued()).toEqual([]);
    },
  );
});
