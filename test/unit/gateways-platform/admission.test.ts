import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIds, systemClock, systemPause } from '../../../services/adapters/system/system.ts';
import { sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { sendCommand } from '../../../services/gateways/platform/operations/send-command.ts';
import { showCommand } from '../../../services/gateways/platform/operations/show-command.ts';
import { aParty } from '../../support/command-facts.ts';
import { EDGE_TOKEN, GOOD_FACTS, openEdge, type Edge } from '../../support/edge.ts';
import { fakePlatformHistory } from '../../support/fake-platform-history.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { memoryStates } from '../../support/memory-states.ts';

const PATH = '/platform/providers/acme/commands?country_id=BR';
const transport = { id: 42, license_plate: 'ABC1D23', country_id: 'BR' };
const START = JSON.stringify({ command: 'start_tracking', transport });
const PLATFORM = {
  ...GOOD_FACTS, device: undefined,
  caller: { ...GOOD_FACTS.caller!, scopes: ['rtt:commands'], providers: ['acme'] },
};

let edge: Edge;
let log: FakeRecordLog;

beforeEach(async () => {
  const states = memoryStates();
  log = fakeRecordLog();
  await states.parties.apply(aParty());
  edge = await openEdge({
    operations: [
      sendCommand({ raceWaitMsMax: 100, racePollMs: 5 }, {
        log, commands: states.commands, commandKeys: states.commandKeys, parties: states.parties,
        clock: systemClock, pause: systemPause, ids: createIds(systemClock), digest: sha256,
      }),
      showCommand({ commands: states.commands, platformHistory: fakePlatformHistory() }),
    ],
  });
  edge.admit(PLATFORM);
});

afterEach(() => edge.close());

const get = (path: string): Promise<Response> => fetch(edge.url + path, {
  headers: { authorization: `Bearer ${EDGE_TOKEN}` },
});

describe('who may command', () => {
  it('[CMD-36] a client with the scope rtt:commands issues and asks', async () => {
    const issued = await edge.post(START, { path: PATH });
    expect(issued.status).toBe(202);
    const { command_id } = await issued.json() as { command_id: string };
    const shown = await get(`/platform/providers/acme/commands/${command_id}?country_id=BR`);
    expect(shown.status).toBe(200);
    expect(await shown.json()).toMatchObject({ command_id, state: 'queued' });
  });

  it('[PLT-01] the platform itself issues and asks, for any provider', async () => {
    const caller = {
      ...PLATFORM.caller, audience: 'platform', providers: [],
      scopes: ['platform:read', 'platform:write'],
    };
    edge.admit({ ...PLATFORM, caller });
    const issued = await edge.post(START, { path: PATH });
    expect(issued.status).toBe(202);
    const { command_id } = await issued.json() as { command_id: string };
    const path = `/platform/providers/acme/commands/${command_id}?country_id=BR`;
    expect((await get(path)).status).toBe(200);
    edge.admit({ ...PLATFORM, caller: { ...caller, scopes: ['platform:read'] } });
    expect((await edge.post(START, { path: PATH })).status).toBe(403);
    edge.admit({ ...PLATFORM, caller: { ...caller, scopes: ['platform:write'] } });
    expect((await get(path)).status).toBe(403);
  });

  it.each([
    ['[CMD-36] without the scope', { scopes: ['rtt:devices'] }, 'insufficient_scope'],
    ['without the provider', { providers: ['best'] }, 'provider_not_allowed'],
    ['for another audience', { audience: 'revoke' }, 'wrong_audience'],
  ])('%s the answer is 403', async (_what, change, code) => {
    edge.admit({ ...PLATFORM, caller: { ...PLATFORM.caller, ...change } });
    const answer = await edge.post(START, { path: PATH });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code });
    const shown = await get('/platform/providers/acme/commands/x?country_id=BR');
    expect(shown.status).toBe(403);
    expect(log.appended).toEqual([]);
  });

  it.each([
    ['no command', { transport }, '/command'],
    ['an unknown command', { command: 'dance', transport }, '/command'],
    ['a start without its transport', { command: 'start_tracking' }, '/transport'],
  ])('[CMD-03] answers 400 to %s', async (_what, body, pointer) => {
    const answer = await edge.post(JSON.stringify(body), { path: PATH });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: [{ pointer }] });
  });

  it('needs the country, on both operations', async () => {
    const path = '/platform/providers/acme/commands';
    expect((await edge.post(START, { path })).status).toBe(400);
    expect((await get(`${path}/x?country_id=QQ`)).status).toBe(400);
  });
});
