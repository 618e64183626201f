import { beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { registerDevice } from '../../../services/gateways/devices/operations/register-device.ts';
import { requireMonitoring } from '../../../services/gateways/devices/require-monitoring.ts';
import { callOf, written } from '../../support/calls.ts';
import { aCommand, aResult, placedCommands } from '../../support/command-facts.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { fakePersonal } from '../../support/fake-personal.ts';
import { fakeStates } from '../../support/fake-states.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';

let states: MemoryStates;

beforeEach(() => { states = memoryStates(); });

async function register(isRequired: boolean): Promise<ReturnType<typeof written>> {
  const operation = registerDevice({ raceWaitMsMax: 1_000, racePollMs: 1 }, {
    states: fakeStates().devices, log: fakeRecordLog(), clock: { nowMs: () => Date.now() },
    pause: () => Promise.resolve(), ids: { ingestId: () => 'i', nonce: () => 'n' },
    personal: fakePersonal(), keyed: sha256,
  }, isRequired ? requireMonitoring(states.monitoring) : undefined);
  return written(operation, await operation.handle(callOf({
    body: { external_entity: { entity_id: 'V-1', entity_type: 'van' }, transport: { id: 42 } },
  })));
}

describe('RTT_REQUIRE_OPEN_MONITORING', () => {
  it('[DEV-20] off takes any transport', async () => {
    expect((await register(false)).status).toBe(201);
  });

  it('[DEV-19] [DEV-35] on refuses a transport that was not started', async () => {
    const { status, body } = await register(true);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'monitoring_not_started' });
  });

  it('[DEV-19] on takes a transport with an open start, before the provider has answered it',
    async () => {
      const start = aCommand('start_tracking', 42);
      await states.commands.applyCommands(placedCommands([start]));
      expect((await register(true)).status).toBe(201);
      await states.commands.applyResults([aResult(start)]);
      expect((await register(true)).status).toBe(201);
    });

  it('[DEV-19] [DEV-35] on refuses after the stop, and takes after the next start', async () => {
    const [start, stop, again] = placedCommands([
      aCommand('start_tracking', 42), aCommand('stop_tracking', 42),
      aCommand('start_tracking', 42),
    ]);
    await states.commands.applyCommands([start!, stop!]);
    expect((await register(true)).status).toBe(403);
    await states.commands.applyCommands([again!]);
    expect((await register(true)).status).toBe(201);
  });

  it.each(['refused', 'ended', 'cancelled'] as const)(
    '[DEV-35] on refuses when the start was %s', async (outcome) => {
      const start = aCommand('start_tracking', 42);
      await states.commands.applyCommands(placedCommands([start]));
      await states.commands.applyResults([aResult(start, { outcome })]);
      expect((await register(true)).status).toBe(403);
    });

  it('[DEV-19] on refuses a transport that was started at another provider', async () => {
    const start = aCommand('start_tracking', 42, { provider: 'best' });
    await states.commands.applyCommands(placedCommands([start]));
    expect((await register(true)).status).toBe(403);
  });
});
