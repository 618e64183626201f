import { describe, expect, it } from 'vitest';
import {
  sendDeferredEvents,
} from '../../../services/gateways/georeceiver/operations/send-deferred-events.ts';
import {
  sendTelemetryEvents,
} from '../../../services/gateways/georeceiver/operations/send-telemetry-events.ts';
import type { TelemetryRequest, TelemetryRequests } from '../../../services/kernel/commands.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { OPERATIONS, TOPICS } from '../../../schemas/generated/catalog.ts';
import { written } from '../../support/calls.ts';
import { asInCatalog, dataCall, dataPorts, NOW_MS, UUID_V7 } from './data-calls.ts';

const DATE = '2025-11-24T13:00:00-03:00';
const event = { name: 'harsh_braking', start_date: DATE, end_date: DATE };
const eventsBody = (count = 1) => ({
  device_id: 'device-1', post_timestamp: 1_764_000_005, events: Array(count).fill(event),
});
const answerBody = (over: object = {}) => ({
  id: 'cmVxdWVzdC0x', transport_id: 987_654, route_distance: 12.5, post_timestamp: 1_764_000_005,
  events: [event, event], ...over,
});
const SUCCESS = { kind: 'answer', status: 202, body: { status: 200, message: 'success' } };

/** Requests that were sent, by provider and id. */
function requests(
  ...sent: (TelemetryRequest & { provider: string; id: string })[]
): TelemetryRequests {
  return {
    find: async (provider, id) => sent.find((one) => one.provider === provider && one.id === id),
  };
}
const asked = {
  provider: 'acme', id: 'cmVxdWVzdC0x', command_id: 'c1', transport_id: 987_654, at_ms: 1,
};

describe('send telemetry events', () => {
  it('[EVT-01] [GEN-06] answers 202 with status 200 and success once the log has the record', async () => {
    const ports = dataPorts();
    ports.log.hold();
    let isAnswered = false;
    const answering = sendTelemetryEvents(ports).handle(dataCall(eventsBody(3)))
      .finally(() => { isAnswered = true; });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    ports.log.release();
    const answer = await answering;
    expect(answer).toMatchObject(SUCCESS);
    const [record] = ports.log.of('rtt.telemetry-events.v1');
    expect(record?.headers['ingest-id']).toMatch(UUID_V7);
    expect(answer).toHaveProperty('headers', { 'Ingest-Id': record?.headers['ingest-id'] });
  });

  it('[GEN-16] takes client, provider, country and device state from admission', async () => {
    const ports = dataPorts();
    const call = dataCall(eventsBody(3));
    await sendTelemetryEvents(ports).handle(call);
    const [record] = ports.log.appended;
    expect(record).toMatchObject({
      key: 'device-1', deadlineMs: call.deadlineMs,
      headers: {
        'received-at': String(NOW_MS), client: '100000000000001', provider: 'acme',
        country: 'BR', epoch: '2', transport: '77', n: '3',
      },
    });
    expect(record?.bytes).toBe(call.canonical);
    expect(Object.keys(record!.headers)).toEqual(
      expect.arrayContaining([...TOPICS.telemetryEvents.headers]),
    );
  });

  it('[EVT-11] [EVT-12] asks admission for the device and charges each event', () => {
    const operation = sendTelemetryEvents(dataPorts());
    expect(operation.admissionOf?.(eventsBody(7)))
      .toEqual({ deviceId: 'device-1', locations: 7 });
  });

  it('[GEN-05] does not answer 202 when the log did not take it', async () => {
    const ports = dataPorts();
    ports.log.failWith('log_timeout');
    await expect(sendTelemetryEvents(ports).handle(dataCall(eventsBody())))
      .rejects.toMatchObject({ code: 'log_timeout' });
  });

  it('is the operation of the catalog', () => {
    const row = OPERATIONS['send-telemetry-events'];
    expect(asInCatalog(sendTelemetryEvents(dataPorts()))).toMatchObject({
      method: row.method, path: row.path, authentication: row.authentication,
      audience: row.audience, scope: row.scope, bodySchema: row.request.schema,
      bodyBytesMax: row.request.bytes_max,
    });
  });
});

describe('send deferred events', () => {
  it('[DEF-01] [DEF-06] [GEN-06] takes the answer to a command, without any device', async () => {
    const ports = { ...dataPorts(), telemetryRequests: requests(asked) };
    const operation = sendDeferredEvents(ports);
    const call = dataCall(answerBody(), undefined);
    const answer = await operation.handle(call);
    expect(answer).toMatchObject(SUCCESS);
    expect(operation.admissionOf?.(answerBody())).toEqual({ locations: 2 });
    const [record] = ports.log.of('rtt.deferred-events.v1');
    expect(record).toMatchObject({
      key: '987654', value: { id: asked.id },
      headers: { client: '100000000000001', provider: 'acme', transport: '987654', n: '2' },
    });
    expect(record?.bytes).toBe(call.canonical);
    expect(answer).toHaveProperty('headers', { 'Ingest-Id': record?.headers['ingest-id'] });
    expect(Object.keys(record!.headers)).toEqual(
      expect.arrayContaining([...TOPICS.deferredEvents.headers]),
    );
  });

  it.each([
    ['[DEF-07] an id that no command carried', '/id', answerBody({ id: 'bm8=' }), asked],
    [
      '[DEF-07] an id that another provider was sent', '/id', answerBody(),
      { ...asked, provider: 'other' },
    ],
    [
      '[DEF-08] another transport than that of the command', '/transport_id',
      answerBody({ transport_id: 987_655 }), asked,
    ],
  ])('%s is answered with 400 and nothing is stored', async (_what, pointer, body, sent) => {
    const ports = { ...dataPorts(), telemetryRequests: requests(sent) };
    const operation = sendDeferredEvents(ports);
    const reply = written(operation, await operation.handle(dataCall(body, undefined)));
    expect(reply).toMatchObject({
      status: 400,
      body: {
        code: 'telemetry_request_unknown',
        errors: [{ pointer, code: 'telemetry_request_unknown' }],
      },
    });
    expect(ports.log.appended).toEqual([]);
  });

  it('[GEN-02] does not call an id unknown while the state store cannot be asked', async () => {
    const telemetryRequests: TelemetryRequests = {
      find: () => Promise.reject(new Unavailable('state_unavailable', 'decide', 'as the test asked')),
    };
    const operation = sendDeferredEvents({ ...dataPorts(), telemetryRequests });
    await expect(operation.handle(dataCall(answerBody(), undefined)))
      .rejects.toMatchObject({ code: 'state_unavailable' });
  });

  it('counts an answer without events as one row', async () => {
    const ports = { ...dataPorts(), telemetryRequests: requests(asked) };
    await sendDeferredEvents(ports).handle(dataCall(answerBody({ events: [] }), undefined));
    expect(ports.log.appended[0]?.headers['n']).toBe('1');
  });

  it('is the operation of the catalog', () => {
    const row = OPERATIONS['send-deferred-events'];
    const operation = sendDeferredEvents({ ...dataPorts(), telemetryRequests: requests() });
    expect(asInCatalog(operation)).toMatchObject({
      method: row.method, path: row.path, authentication: row.authentication,
      audience: row.audience, scope: row.scope, bodySchema: row.request.schema,
      bodyBytesMax: row.request.bytes_max,
    });
  });
});
