import { describe, expect, it } from 'vitest';
import { createIds } from '../../../services/adapters/system/system.ts';
import { sendLocations } from '../../../services/gateways/georeceiver/operations/send-locations.ts';
import type { Call } from '../../../services/kernel/http.ts';
import { OPERATIONS, TOPICS } from '../../../schemas/generated/catalog.ts';
import { callOf } from '../../support/calls.ts';
import { locationsBody } from '../../support/edge.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOW_MS = 1_764_000_010_123;

function setUp() {
  const log = fakeRecordLog();
  const ids = createIds({ nowMs: () => NOW_MS });
  const operation = sendLocations({ log, ids });
  const call: Call = {
    ...callOf({
      nowMs: NOW_MS, body: locationsBody(3), params: { provider: 'acme' },
      query: { country_id: 'BR' },
    }),
    device: { epoch: 2, transportId: '77' },
    body: operation.summary?.summarize(locationsBody(3)),
  };
  return { log, call, operation };
}

describe('send locations', () => {
  it('[LOC-01] [GEN-06] answers 202 with an Ingest-Id once the log has the record', async () => {
    const { log, call, operation } = setUp();
    log.hold();
    let isAnswered = false;
    const answering = operation.handle(call).finally(() => { isAnswered = true; });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    log.release();
    const answer = await answering;
    expect(answer).toMatchObject({
      kind: 'answer', status: 202, body: { status: 202, message: 'Accepted' },
    });
    const [record] = log.of('rtt.locations.v1');
    expect(record?.headers['ingest-id']).toMatch(UUID_V7);
    expect(answer).toHaveProperty('headers', { 'Ingest-Id': record?.headers['ingest-id'] });
  });

  it('[GEN-16] takes client, provider, country and device state from admission', async () => {
    const { log, call, operation } = setUp();
    await operation.handle(call);
    const [record] = log.appended;
    expect(record).toMatchObject({
      topic: 'rtt.locations.v1', key: 'device-1', deadlineMs: call.deadlineMs,
      headers: {
        'received-at': String(NOW_MS), client: '100000000000001', provider: 'acme',
        country: 'BR', epoch: '2', transport: '77', n: '3',
      },
    });
    expect(record?.bytes).toBe(call.canonical);
  });

  it('carries every header that the catalog asks for', async () => {
    const { log, call, operation } = setUp();
    await operation.handle(call);
    expect(Object.keys(log.appended[0]!.headers)).toEqual(
      expect.arrayContaining([...TOPICS.locations.headers]),
    );
  });

  it('asks admission for the device of the body and the number of its locations', () => {
    const { operation } = setUp();
    expect(operation.admissionOf?.(operation.summary?.summarize(locationsBody(7))))
      .toEqual({ deviceId: 'device-1', locations: 7 });
  });

  it.each(['log_unavailable', 'log_timeout', 'capacity_exhausted'] as const)(
    '[GEN-05] does not answer 202 after %s', async (code) => {
      const { log, call, operation } = setUp();
      log.failWith(code);
      await expect(operation.handle(call)).rejects.toMatchObject({ code });
      expect(log.appended).toHaveLength(0);
    },
  );

  it('is the operation of the catalog', () => {
    const { operation } = setUp();
    const row = OPERATIONS['send-locations'];
    expect(operation.path.replace(/:(\w+)/g, '{$1}')).toBe(row.path);
    expect(operation).toMatchObject({
      method: row.method, authentication: row.authentication, audience: row.audience,
      scope: row.scope, bodySchema: row.request.schema, bodyBytesMax: row.request.bytes_max,
    });
  });

  it('[GEN-29] has no version in its path', () => {
    expect(setUp().operation.path).not.toMatch(/\/v\d/);
  });
});
