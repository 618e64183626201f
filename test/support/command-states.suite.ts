import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type {
  CommandCursor, CommandKeys, CommandStates, Monitoring, TelemetryRequests,
} from '../../services/kernel/commands.ts';
import {
  aCommand, aResult, aTelemetryRequest, newTransportId, placedCommands,
} from './command-facts.ts';

const hashOf = (): string => randomBytes(32).toString('hex');

/** The ports of one implementation under test. */
export interface OpenedCommands {
  readonly commands: CommandStates;
  readonly commandKeys: CommandKeys;
  readonly monitoring: Monitoring;
  readonly telemetryRequests: TelemetryRequests;
  wipe(): Promise<void>;
  close(): Promise<void>;
}

/** What every implementation of the ports about provider commands must do. */
export function commandStatesSuite(open: () => Promise<OpenedCommands>): void {
  let states: OpenedCommands;
  beforeEach(async () => { states = await open(); });
  afterEach(() => states.close());

  it('keeps a command without its body, whatever comes first', async () => {
    const command = aCommand('start_tracking', newTransportId());
    const { type: _, body: __, ...rest } = command;
    const issued = { ...rest, command: 'start_tracking', transport_id: Number(rest.command_key) };
    expect(await states.commands.find(command.command_id)).toBeUndefined();
    await states.commands.put(command);
    expect(await states.commands.find(command.command_id)).toEqual({ issued, result: undefined });
    await states.commands.applyCommands(placedCommands([command]));
    expect(await states.commands.find(command.command_id)).toEqual({ issued, result: undefined });
  });

  it('[PLT-12] lists commands by when they were issued, all or of a transport, by pages', async () => {
    // Of a time that no other test uses, and not so long ago that commands are not kept.
    const start = Date.now() - 86_400_000 - Math.floor(Math.random() * 5e9);
    const [one, other] = [newTransportId(), newTransportId()];
    const issued = [one, other, one, one].map((id, at) => (
      aCommand('start_tracking', id, { at_ms: start + at })
    ));
    await states.commands.applyCommands(placedCommands(issued));
    await states.commands.applyCommands(placedCommands(issued));
    const list = async (transport?: number, until = 9, limit = 2): Promise<string[]> => {
      const found: string[] = [];
      let after: CommandCursor | undefined;
      const range = {
        since_ms: start, until_ms: start + until,
        transport_id: transport === undefined ? undefined : String(transport),
      };
      do {
        const page = await states.commands.list(range, after, limit);
        expect(page.commands.length).toBeLessThanOrEqual(limit);
        found.push(...page.commands.map((each) => each.issued.command_id));
        after = page.next;
      } while (after !== undefined);
      return found;
    };
    const [a, b, c, d] = issued.map(({ command_id }) => command_id);
    for (const limit of [1, 2, 500]) expect(await list(undefined, 9, limit)).toEqual([d, c, b, a]);
    expect(await list(one)).toEqual([d, c, a]);
    expect(await list(other)).toEqual([b]);
    expect(await list(one, 2)).toEqual([c, a]);
    await states.wipe();
    await expect(list()).rejects.toMatchObject({ code: 'state_not_ready' });
  });

  it('keeps the result that counts, in any order of application', async () => {
    const command = aCommand('start_tracking', newTransportId());
    const results = [
      aResult(command, { fence: 1, attempt: 1, outcome: 'retry', status: 500 }),
      aResult(command, { fence: 2, attempt: 2, outcome: 'retry', status: 503 }),
      aResult(command, { fence: 1, attempt: 9, outcome: 'refused', status: 400 }),
      aResult(command, { fence: 2, attempt: 3, outcome: 'done' }),
      aResult(command, { fence: 3, attempt: 7, outcome: 'retry', status: 500 }),
    ];
    const { type: _, ...done } = results[3]!;
    for (const order of [results, results.toReversed()]) {
      states = await open();
      for (const result of order) await states.commands.applyResults([result]);
      await states.commands.applyCommands(placedCommands([command]));
      expect((await states.commands.find(command.command_id))?.result).toEqual(done);
    }
  });

  it('[CMD-37] knows the first record of a command, in the order of the log and repeated', async () => {
    const [id, other] = [newTransportId(), newTransportId()];
    const start = aCommand('start_tracking', id);
    const stop = aCommand('stop_tracking', id);
    const placed = placedCommands([start, stop, start, aCommand('start_tracking', other)], 9);
    const [first, second, again, last] = placed;
    await states.commands.put(start);
    expect(await states.commands.applyCommands([first!, second!])).toEqual([first, second]);
    expect(await states.commands.applyCommands([again!, last!])).toEqual([last]);
    expect(await states.commands.applyCommands(placed)).toEqual([first, second, last]);
    // What was appended again does not start the transport again.
    expect(await states.monitoring.find('acme', id)).toEqual({ command: 'stop_tracking' });
  });

  it('[CMD-37] gives a key to one of many claims, and keeps its command', async () => {
    const identity = { key_hash: hashOf(), body_hash: hashOf() };
    const command_id = hashOf();
    const claims = await Promise.all(Array.from({ length: 20 }, (_, at) => (
      states.commandKeys.claim(identity, command_id, `by-${at}`)
    )));
    expect(claims.filter(({ kind }) => kind === 'busy')).toHaveLength(19);
    expect(claims.filter(({ kind }) => kind === 'taken')).toHaveLength(1);
    const command = aCommand('start_tracking', newTransportId(), { command_id, identity });
    await states.commandKeys.release(identity, 'by-another');
    expect(await states.commandKeys.claim(identity, 'x', 'x')).toEqual({ kind: 'busy' });
    expect(await states.commandKeys.confirm(command)).toBe(true);
    expect(await states.commandKeys.confirm(command)).toBe(true);
    expect(await states.commandKeys.confirm({ ...command, command_id: 'other' })).toBe(false);
    await states.commandKeys.apply([command]);
    expect(await states.commandKeys.claim(identity, 'x', 'x')).toEqual({ kind: 'repeat', command_id });
    expect(await states.commandKeys.claim({ ...identity, body_hash: hashOf() }, 'x', 'x'))
      .toEqual({ kind: 'other_body', command_id });
  });

  it('[CMD-37] frees a key that is given back, and takes one from the log', async () => {
    const identity = { key_hash: hashOf(), body_hash: hashOf() };
    await states.commandKeys.claim(identity, 'c1', 'first');
    await states.commandKeys.release(identity, 'first');
    expect(await states.commandKeys.claim(identity, 'c2', 'second'))
      .toEqual({ kind: 'taken' });
    const command = aCommand('start_tracking', newTransportId(), { command_id: 'c2', identity });
    await states.commands.applyCommands(placedCommands([command]));
    expect(await states.commandKeys.claim(identity, 'c3', 'third'))
      .toEqual({ kind: 'repeat', command_id: 'c2' });
  });

  it('knows the newest start or stop of a transport by its place in the log', async () => {
    const id = newTransportId();
    const [start, stop, again] = placedCommands([
      aCommand('start_tracking', id), aCommand('stop_tracking', id),
      aCommand('start_tracking', id),
    ], 9);
    expect(await states.monitoring.find('acme', id)).toBeUndefined();
    await states.commands.applyCommands([stop!]);
    await states.commands.applyCommands([start!]);
    expect(await states.monitoring.find('acme', id)).toEqual({ command: 'stop_tracking' });
    await states.commands.applyCommands([again!]);
    await states.commands.applyResults([aResult(again!.event, { outcome: 'ended', status: 403 })]);
    expect(await states.monitoring.find('acme', id))
      .toMatchObject({ command: 'start_tracking', result: { outcome: 'ended' } });
    expect(await states.monitoring.find('best', id)).toBeUndefined();
  });

  it('finds a request for deferred events by provider and id, the first of two', async () => {
    const [id, transport] = [Buffer.from(randomUUID()).toString('base64'), newTransportId()];
    const first = aTelemetryRequest(id, transport, { command_id: 'a2' });
    const second = aTelemetryRequest(
      id, newTransportId(), { command_id: 'a1', at_ms: first.at_ms + 1 },
    );
    expect(await states.telemetryRequests.find('acme', id)).toBeUndefined();
    await states.commands.applyCommands(placedCommands([second]));
    await states.commands.applyCommands(placedCommands([first]));
    await states.commands.applyCommands(placedCommands([second]));
    expect(await states.telemetryRequests.find('acme', id))
      .toEqual({ command_id: 'a2', transport_id: transport, at_ms: first.at_ms });
    expect(await states.telemetryRequests.find('best', id)).toBeUndefined();
  });

  it('[DEF-07] knows what deferred events may answer as soon as the command is shown', async () => {
    const [id, transport] = [Buffer.from(randomUUID()).toString('base64'), newTransportId()];
    const command = aTelemetryRequest(id, transport);
    await states.commands.put(command);
    expect(await states.telemetryRequests.find('acme', id))
      .toEqual({ command_id: command.command_id, transport_id: transport, at_ms: command.at_ms });
  });

  it('refuses to answer without the ready mark, and applies facts without it', async () => {
    await states.wipe();
    const command = aCommand('start_tracking', newTransportId());
    const notReady = { code: 'state_not_ready' };
    await states.commands.applyCommands(placedCommands([command]));
    await states.commands.applyResults([aResult(command)]);
    await expect(states.commands.put(command)).rejects.toMatchObject(notReady);
    await expect(states.commands.find(command.command_id)).rejects.toMatchObject(notReady);
    await expect(states.commandKeys.claim({ key_hash: hashOf(), body_hash: '' }, 'c', 'x'))
      .rejects.toMatchObject(notReady);
    await expect(states.monitoring.find('acme', 1)).rejects.toMatchObject(notReady);
    await expect(states.telemetryRequests.find('acme', 'x')).rejects.toMatchObject(notReady);
  });
}
