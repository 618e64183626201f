import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProviderCommandIssued, ProviderCommandResult }
  from '../../../services/kernel/commands.ts';
import { aCommand, aResult, aTelemetryRequest, newTransportId }
  from '../../support/command-facts.ts';
import { createHistory, holdMerges, record, writePosts, type History } from './history.ts';

const NOW_MS = Date.now();
let history: History;

beforeAll(async () => { history = await createHistory(); });
afterAll(async () => { await history.drop(); });

const text = (milliseconds: number): string => (
  new Date(milliseconds).toISOString().slice(0, 23).replace('T', ' ')
);

async function send(
  ...facts: readonly (ProviderCommandIssued | ProviderCommandResult)[]
): Promise<void> {
  const records = facts.map((fact) => (fact.type === 'ProviderCommandIssued'
    ? record('provider.commands.v1', fact.command_key, fact, {
      receivedAtMs: fact.at_ms - 5,
      headers: { 'ingest-id': fact.command_id, provider: fact.provider },
    })
    : record('provider.command-results.v1', fact.command_key, fact, { receivedAtMs: fact.at_ms })));
  expect(await writePosts(history.ingest, records)).toEqual([]);
}

const seen = (view: string, { command_id }: ProviderCommandIssued) => history.analyst.query(
  `SELECT * FROM ${view} WHERE command_id = {id:String} ORDER BY k_offset`, { id: command_id },
);

describe('commands for analysts', () => {
  it('show each command once, with its end, its attempts and how long it took', async () => {
    const transport = newTransportId();
    const command = aCommand('start_tracking', transport, { at_ms: NOW_MS - 90_000 });
    const later = aResult(command, {
      outcome: 'retry', status: 503, reason: 'answered', at_ms: NOW_MS - 80_000,
      next_attempt_at_ms: NOW_MS - 70_000,
    });
    const done = aResult(command, { attempt: 2, at_ms: NOW_MS - 69_500 });
    await send(command, later, done);
    await send(done, command);
    expect(await seen('v_commands', command)).toEqual([{
      command_id: command.command_id, provider: 'acme', command: 'start_tracking',
      command_key: String(transport), transport_id: String(transport), request_id: '', routes: 0,
      corrects: '', client_id: '100000000000042', country_id: 'BR', state: 'done',
      attempts: '2', status: 200, reason: 'answered', issued_at: text(command.at_ms),
      next_attempt_at: null, ended_at: text(done.at_ms), latency_s: 20.5,
      k_partition: 3, k_offset: expect.any(String),
    }]);
    expect(await seen('v_command_results', command)).toMatchObject([
      {
        attempt: '1', fence: '1', outcome: 'retry', status: 503, at: text(later.at_ms),
        next_attempt_at: text(NOW_MS - 70_000),
      },
      { attempt: '2', outcome: 'done', status: 200, next_attempt_at: null, cancelled_by: '' },
    ]);
  });

  it('show of several results the one that counts', async () => {
    const issue = () => aCommand('start_tracking', newTransportId());
    const [taken, stopped, waiting, queued] = [issue(), issue(), issue(), issue()];
    const retry = { outcome: 'retry', reason: 'timeout' } as const;
    await send(
      taken, aResult(taken, { outcome: 'refused', status: 400 }),
      aResult(taken, { ...retry, fence: 9, attempt: 7 }),
      stopped, aResult(stopped, { ...retry, attempt: 3 }),
      aResult(stopped, {
        outcome: 'cancelled', reason: 'stopped', attempt: 3, cancelled_by: 'the-stop',
      }),
      waiting, aResult(waiting, { ...retry, attempt: 5 }),
      aResult(waiting, {
        ...retry, reason: 'throttled', fence: 2, attempt: 4, status: 429,
        next_attempt_at_ms: NOW_MS + 1_000,
      }),
      queued,
    );
    expect(await seen('v_commands', taken)).toMatchObject([{ state: 'refused', status: 400 }]);
    expect(await seen('v_commands', stopped)).toMatchObject([{ state: 'cancelled' }]);
    expect(await seen('v_command_results', stopped)).toHaveLength(2);
    expect(await seen('v_commands', waiting)).toMatchObject([{
      state: 'sending', attempts: '4', reason: 'throttled', status: 429, ended_at: null,
      next_attempt_at: text(NOW_MS + 1_000), latency_s: null,
    }]);
    expect(await seen('v_commands', queued)).toMatchObject([{
      state: 'queued', attempts: '0', status: null, reason: '', ended_at: null,
    }]);
  });

  it('are asked any condition as what they are, also before their rows are one', async () => {
    await holdMerges(history, ['provider_command_states']);
    const transport = newTransportId();
    const issue = () => aCommand('start_tracking', transport);
    const [waiting, done] = [issue(), issue()];
    await send(waiting, done);
    await send(aResult(done), aResult(waiting, {
      outcome: 'retry', status: 503, reason: 'throttled', next_attempt_at_ms: NOW_MS + 1_000,
    }));
    const found = async (condition: string) => (await history.analyst.query(
      `SELECT command_id FROM v_commands WHERE (${condition}) AND transport_id = {id:Int64}`,
      { id: transport },
    )).map(({ command_id }) => command_id);
    expect(await found("state = 'done' AND command = 'start_tracking'")).toEqual([done.command_id]);
    expect(await found("attempts = 1 AND status = 200 AND client_id != ''"))
      .toEqual([done.command_id]);
    expect(await found("reason = 'throttled' AND country_id = 'BR'")).toEqual([waiting.command_id]);
    expect(await found("state = 'queued' OR command = ''")).toEqual([]);
  });

  it('name the request that deferred events answer, and count planned routes', async () => {
    const asked = aTelemetryRequest('cmVxdWVzdC0x', newTransportId());
    const routes = {
      ...asked, command_id: `${asked.command_id}-routes`, command_key: 'route:5501',
      corrects: asked.command_id,
      body: { command: 'check_planned_routes', planned_routes: [{ route_id: 5501 }, { route_id: 2 }] },
    } as unknown as ProviderCommandIssued;
    await send(asked, routes);
    expect(await seen('v_commands', asked))
      .toMatchObject([{ command: 'process_telemetry_events', request_id: 'cmVxdWVzdC0x' }]);
    expect(await seen('v_commands', routes)).toMatchObject([{
      command: 'check_planned_routes', command_key: 'route:5501', routes: 2, transport_id: '0',
      corrects: asked.command_id,
    }]);
  });

  it('keep no plate and no place of a body', async () => {
    const command = aCommand('stop_tracking', newTransportId());
    const body = {
      command: 'check_planned_routes', SECRET: 'SECRET',
      transport: { id: 7, license_plate: 'SECRET', country_id: 'BR' },
      planned_routes: [{
        route_id: 1, rostering_id: 2, carrier: { name: 'SECRET' },
        vehicles: [{ license_plate: 'SECRET' }], stops: [{ address: 'SECRET' }],
      }],
    };
    await send({ ...command, body } as unknown as ProviderCommandIssued);
    const rows = await history.admin.query(
      'SELECT * FROM provider_commands WHERE command_id = {id:String}', { id: command.command_id },
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('SECRET');
    expect(await history.admin.query(
      'SELECT kind, provider FROM ingest_records WHERE ingest_id = UUIDStringToNum({id:String})',
      { id: command.command_id },
    )).toEqual([{ kind: 'commands', provider: 'acme' }]);
  });
});
