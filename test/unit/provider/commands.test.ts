import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandTransport } from '../../../schemas/generated/types.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { createAnswerCommand } from '../../../services/provider/commands/answer-command.ts';
import {
  createPlannedRoutes, type PlannedRoutes,
} from '../../../services/provider/commands/planned-routes.ts';
import { listen, type ListeningServer } from '../../../services/provider/http/server.ts';
import type { Fleet } from '../../../services/provider/replay/fleet.ts';

const TOKEN = 'the-command-token';
const time = '2025-11-24T13:00:00-03:00';
const route = {
  route_id: 5, rostering_id: 2, country_id: 'BR', carrier: { id: 3, name: 'Acme' },
  estimated_start_date: time, estimated_end_date: time,
  estimated_start_monitoring_date: time, estimated_end_monitoring_date: time,
  vehicles: [{ is_tractor: true, type: 'truck', license_plate: 'ABC1D23' }],
  stops: [{
    order: 1, estimated_time_departure: time, estimated_time_arrival: time,
    facility: {
      id: 'XSP1',
      address: {
        country_name: 'Brasil', state_name: 'SP', neighborhood_name: 'Centro',
        street_name: 'Rua', street_number: '1', zip_code: '01000-000',
        geolocation: { latitude: -23.5, longitude: -46.6 },
      },
    },
  }],
};
const travel = { init_date: '2025-11-24T13:00:00Z', end_date: '2025-11-24T14:00:00Z' };
const transport = { id: 987654, license_plate: 'ABC1D23', country_id: 'BR' };

let server: ListeningServer;
let started: CommandTransport[];
let stopped: number[];
let isFull: boolean;
let routes: PlannedRoutes;
let asked: string[];

beforeEach(async () => {
  started = [];
  stopped = [];
  isFull = false;
  routes = createPlannedRoutes(3);
  asked = [];
  const fleet = {
    startTransport: (given: CommandTransport) => {
      if (given.license_plate === 'CRASH') throw new Error('as the test asked');
      started.push(given);
      return !isFull;
    },
    stopTransport: (id: number) => { stopped.push(id); },
  } as Fleet;
  server = await listen({ host: '127.0.0.1', port: 0, bodyBytesMax: 10_000 }, {
    answerCommand: createAnswerCommand({ commandToken: TOKEN, otherToken: 'other-token' }, {
      fleet, routes, check: loadSchemas().checkOf('ProviderCommandBody'),
      deferred: {
        request: ({ id }) => { asked.push(id); }, finished: async () => {}, open: () => 0,
      },
    }), status: () => ({ drained: false }),
  });
});

afterEach(() => server.close());

async function command(body: unknown, token: string | undefined = TOKEN) {
  const response = await fetch(`${server.url}/rtt/commands`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: token === '' ? '' : `Bearer ${token}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer = await response.json() as Record<string, unknown>;
  return { status: response.status, headers: response.headers, answer };
}

describe('/rtt/commands of the reference provider', () => {
  it.each([
    { command: 'check_planned_routes', planned_routes: [route] },
    { command: 'cancel_planned_routes', planned_routes: [route] },
    { command: 'process_telemetry_events', id: 'aWQ=', transport, travel },
    { command: 'start_tracking', transport }, { command: 'stop_tracking', transport },
  ])('[CMD-01] [CMD-02] [CMD-18] takes $command with 200 and the sample body', async (body) => {
    const { status, answer } = await command(body);
    expect([status, answer]).toEqual([200, { status: 200, message: 'success' }]);
  });

  it('[CMD-10] keeps planned routes until they are cancelled, whatever is repeated', async () => {
    const planned = { command: 'check_planned_routes', planned_routes: [route] };
    await command(planned);
    await command(planned);
    expect([routes.count(), routes.find(5)]).toEqual([1, route]);
    const cancelled = { ...planned, command: 'cancel_planned_routes' };
    expect((await command(cancelled)).status).toBe(200);
    expect((await command(cancelled)).status).toBe(200);
    expect(routes.count()).toBe(0);
  });

  it('[CMD-21] takes a request for deferred events and passes it on', async () => {
    await command({ command: 'process_telemetry_events', id: 'aWQ=', transport, travel });
    expect(asked).toEqual(['aWQ=']);
  });

  it.each([
    ['[CMD-12] a route without its id', { ...route, route_id: undefined }],
    ['[CMD-12] a route with a text as roster', { ...route, rostering_id: 'two' }],
    ['[CMD-13] a route without its start', { ...route, estimated_start_date: undefined }],
    ['[CMD-13] a date that does not exist', { ...route, estimated_end_date: '2025-02-30T00:00:00Z' }],
    ['[CMD-14] a route without its carrier', { ...route, carrier: { id: 3 } }],
    ['[CMD-15] a route without vehicles', { ...route, vehicles: undefined }],
    ['[CMD-16] a stop without its order', { ...route, stops: [{ ...route.stops[0], order: undefined }] }],
    ['[CMD-17] a stop without its place', { ...route, stops: [{ ...route.stops[0], facility: { id: 'x' } }] }],
  ])('%s is answered 400', async (_what, wrong) => {
    for (const name of ['check_planned_routes', 'cancel_planned_routes']) {
      expect((await command({ command: name, planned_routes: [wrong] })).status).toBe(400);
    }
    expect(routes.count()).toBe(0);
  });

  it.each([
    ['[CMD-19] no id', { id: undefined }], ['[CMD-20] an id that is no Base64', { id: 'a b' }],
    ['[CMD-19] no end', { travel: { init_date: time } }],
    ['[CMD-19] no plate', { transport: { id: 1, country_id: 'BR' } }],
  ])('%s in a request for deferred events is answered 400', async (_what, change) => {
    const body = { command: 'process_telemetry_events', id: 'aWQ=', transport, travel, ...change };
    expect((await command(body)).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('[CMD-05] answers 403 insufficient_scope to a known token that may not command', async () => {
    const body = { command: 'start_tracking', transport };
    const { status, headers, answer } = await command(body, 'other-token');
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope"');
    expect(answer).toMatchObject({ code: 'insufficient_scope' });
    expect(started).toEqual([]);
  });

  it('[CMD-06] answers 500 when it fails itself', async () => {
    const body = { command: 'start_tracking', transport: { ...transport, license_plate: 'CRASH' } };
    const { status, answer } = await command(body);
    expect(status).toBe(500);
    expect(answer).toMatchObject({ code: 'internal' });
  });

  it('takes a start and a stop with 200 and the sample body', async () => {
    for (const name of ['start_tracking', 'stop_tracking']) {
      const { status, answer } = await command({ command: name, transport });
      expect(status).toBe(200);
      expect(answer).toEqual({ status: 200, message: 'success' });
    }
    expect(started).toEqual([transport]);
    expect(stopped).toEqual([transport.id]);
  });

  it.each([
    ['no token', ''], ['a wrong token', 'another'], ['a longer token', `${TOKEN}x`],
  ])('[CMD-04] answers 403 invalid_token to %s', async (_name, token) => {
    const body = { command: 'start_tracking', transport };
    const { status, headers, answer } = await command(body, token);
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(answer).toMatchObject({ status: 403, code: 'invalid_token' });
    expect(started).toEqual([]);
  });

  it.each([
    ['no command', { transport }, '/command'],
    ['an unknown command', { command: 'dance', transport }, '/command'],
    ['no transport', { command: 'start_tracking' }, '/transport'],
    ['a list as body', [], ''],
  ])('[CMD-03] answers 400 to %s and names the place', async (_name, body, pointer) => {
    const { status, answer } = await command(body);
    expect(status).toBe(400);
    expect(answer['errors']).toMatchObject([{ pointer }]);
    expect(started).toEqual([]);
  });

  it.each(['start_tracking', 'stop_tracking'].flatMap((name) => [
    [name, 'id', undefined], [name, 'id', '98765x'], [name, 'id', 987.5],
    [name, 'license_plate', undefined], [name, 'license_plate', 5],
    [name, 'country_id', undefined], [name, 'country_id', null],
  ] as const))('[CMD-07] answers 400 to %s with %s = %s', async (name, field, value) => {
    const { status, answer } = await command({
      command: name, transport: { ...transport, [field]: value },
    });
    expect(status).toBe(400);
    expect(answer['errors']).toMatchObject([{ pointer: `/transport/${field}` }]);
    expect([...started, ...stopped]).toEqual([]);
  });

  it.each([
    ['broken JSON', '{"command":'], ['text', 'start'], ['a large body', ' '.repeat(20_000)],
  ])(
    'answers 400, never 500, to %s', async (_name, body) => {
      expect((await command(body)).status).toBe(400);
    });

  it('answers 500 with Retry-After when no further device fits', async () => {
    isFull = true;
    const { status, headers } = await command({ command: 'start_tracking', transport });
    expect(status).toBe(500);
    expect(headers.get('retry-after')).toBe('5');
  });

  it('shows its status', async () => {
    const response = await fetch(`${server.url}/status`);
    expect(await response.json()).toEqual({ drained: false });
  });
});
