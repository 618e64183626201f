import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformCommands } from '../../../schemas/generated/types.ts';
import { aCommand, aResult, placedCommands } from '../../support/command-facts.ts';
import { openWholeEdge, type WholeEdge } from '../../support/whole-edge.ts';

type Params = Readonly<Record<string, string | number | null>>;

const ALL: Params = {
  command_id: null, provider: null, transport_id: null, state: null, since: null, until: null,
};

let at: WholeEdge;
beforeEach(async () => { at = await openWholeEdge(); });
afterEach(() => at.close());

async function ask(params: Params): Promise<Response> {
  at.admit('list-commands');
  return at.call('list-commands', { params: { ...ALL, ...params } });
}

async function list(params: Params): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await (await ask({ limit: 1, ...params, cursor })).json() as PlatformCommands;
    found.push(...page.commands.map(({ command_id }) => command_id));
    expect(page.has_more).toBe(page.next_cursor !== undefined);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return found;
}

describe('the commands that the platform lists', () => {
  it('[PLT-12] are narrowed to a provider, a transport, a state and a range', async () => {
    const nowMs = Date.now();
    const commands = [
      aCommand('start_tracking', 42, { at_ms: nowMs - 3_000 }),
      aCommand('start_tracking', 43, { at_ms: nowMs - 2_000, provider: 'best' }),
      aCommand('stop_tracking', 42, { at_ms: nowMs - 1_000 }),
    ];
    const [first, second, third] = commands.map(({ command_id }) => command_id);
    await at.commands.commands.applyCommands(placedCommands(commands));
    await at.commands.commands.applyResults([
      aResult(commands[0]!, { outcome: 'done', attempt: 2, status: 200 }),
    ]);
    expect(await list({})).toEqual([third, second, first]);
    expect(await list({ transport_id: 42 })).toEqual([third, first]);
    expect(await list({ provider: 'best' })).toEqual([second]);
    expect(await list({ state: 'done' })).toEqual([first]);
    expect(await list({ transport_id: 42, state: 'queued' })).toEqual([third]);
    expect(await list({ since: new Date(nowMs - 2_500).toISOString() })).toEqual([third, second]);
    const page = await (await ask({ state: 'done' })).json() as PlatformCommands;
    expect(page.commands).toMatchObject([{ command_id: first, attempts: 2, last_status: 200 }]);
  });

  it('[PLT-12] are one by its id alone, whenever it was issued, unless it is of another', async () => {
    const old = aCommand('start_tracking', 42, { at_ms: Date.now() - 40 * 86_400_000 });
    await at.commands.commands.applyCommands(placedCommands([
      old, aCommand('stop_tracking', 42, { at_ms: Date.now() }),
    ]));
    const { command_id, provider } = old;
    expect(await list({ command_id })).toEqual([command_id]);
    expect(await list({ command_id, provider, transport_id: 42, state: 'queued' }))
      .toEqual([command_id]);
    expect(await list({ command_id, provider: 'other' })).toEqual([]);
    expect(await list({ command_id, transport_id: 43 })).toEqual([]);
    expect(await list({ command_id, state: 'done' })).toEqual([]);
    expect(await list({ command_id: 'none' })).toEqual([]);
  });

  it.each([
    ['a command without a name', { command_id: '' }, '/query/command_id'],
    ['a state that there is not', { state: 'asleep' }, '/query/state'],
    ['a provider whose name is none', { provider: 'Acme Inc' }, '/query/provider'],
    ['a transport without a name', { transport_id: '' }, '/query/transport_id'],
    ['a transport whose name is too long', { transport_id: '1'.repeat(256) }, '/query/transport_id'],
    ['a time that is none', { until: 'now' }, '/query/until'],
    ['no page', { limit: 'all' }, '/query/limit'],
    ['a cursor of its own making', { cursor: 'eA' }, '/query/cursor'],
  ])('[PLT-12] refuses %s', async (_what, params, pointer) => {
    const response = await ask(params);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_parameter', errors: [{ pointer }],
    });
  });
});
