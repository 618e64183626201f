import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundleOf, bundleTitles } from '../../../schemas/bundles.ts';
import { readSource } from '../../../scripts/generate/source.ts';
import { CODES } from '../../../services/kernel/codes.ts';
import {
  BODY_BYTES_MAX, BODY_DEPTH_MAX, NOTIFICATIONS_BYTES_MAX, THROTTLED_RETRY_AFTER_SECONDS,
} from '../../../services/kernel/limits.ts';
import { OPERATIONS, TOPICS } from '../../../schemas/generated/catalog.ts';
import { SCHEMAS } from './validators.ts';

const { catalog, files } = readSource(SCHEMAS.pathname);
const titles = new Set(files.map(({ title }) => title));
const topics = new Map(catalog.topics.map((topic) => [topic.name, topic]));

const KINDS: Readonly<Record<string, readonly string[]>> = {
  400: ['invalid'],
  401: ['denied'],
  403: ['denied'],
  404: ['refused'],
  429: ['throttled'],
  500: ['fault'],
};

type Operation = (typeof catalog.operations)[number];

/** What the id of a dry run begins with. */
const DRY_RUN = 'dry-run-';

/** The endpoint of an operation, or of that whose dry run it is. */
function endpointOf({ id }: Operation): number | null {
  const own = id.replace(DRY_RUN, '');
  return catalog.operations.find((each) => each.id === own)?.endpoint ?? null;
}

/** Authorizations know no 429: above a limit they are 500 with `Retry-After`. */
function kindsOf(operation: Operation, status: string): readonly string[] {
  return endpointOf(operation) === 1 && status === '500' ? ['fault', 'throttled'] : KINDS[status] ?? [];
}

/** Endpoint → address and statuses, from the sections "Endpoints" and "Errors". */
const ADDRESSES = [
  [1, '/shipments/{shipment_id}/authorization', [200, 400, 401, 403, 500]],
  [1, '/shipments/{shipment_id}/cancellation', [200, 400, 401, 403, 500]],
  [2, '/oauth/token', [200, 400, 401, 429, 500]],
  [3, '/oauth/revoke', [200, 400, 401, 429, 500]],
  [5, '/rtt/commands', [200, 400, 403, 500]],
  [null, '/shipping/rtt/devices', [200, 400, 403, 429, 500]],
  [6, '/shipping/rtt/devices', [201, 208, 400, 403, 429, 500]],
  [7, '/shipping/rtt/devices/{device_id}/start_tracking', [200, 208, 400, 403, 404, 429, 500]],
  [8, '/shipping/rtt/devices/{device_id}/stop_tracking', [200, 208, 400, 403, 404, 429, 500]],
  [7, '/shipping/rtt/devices/start_tracking', [200, 208, 400, 403, 404, 429, 500]],
  [8, '/shipping/rtt/devices/stop_tracking', [200, 208, 400, 403, 404, 429, 500]],
  [9, '/shipping/rtt/georeceiver/{provider}/locations', [202, 400, 403, 429, 500]],
  [10, '/shipping/rtt/georeceiver/{provider}/telemetry/events', [202, 400, 403, 429, 500]],
  [11, '/shipping/rtt/georeceiver/{provider}/telemetry/events/deferred', [202, 400, 403, 429, 500]],
  [12, '/shipping/rtt/georeceiver/proximity/{provider}/locations', [202, 400, 403, 429, 500]],
  [5, '/platform/providers/{provider}/commands', [202, 400, 403, 404, 429, 500]],
  [5, '/platform/providers/{provider}/commands/{command_id}', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/transports/{transport_id}/devices', [200, 400, 403, 429, 500]],
  [null, '/platform/transports/{transport_id}/last_position', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/fleet/last_positions', [200, 400, 403, 429, 500]],
  [null, '/platform/devices', [200, 400, 403, 429, 500]],
  [null, '/platform/devices/{device_id}', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/devices/{device_id}/track', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/ingest/{ingest_id}', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/shipments', [200, 400, 403, 429, 500]],
  [null, '/platform/shipments/{tracking_number}', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/shipments/{tracking_number}/journey', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/shipments/{tracking_number}/last_place', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/carriers/{carrier}/authorizations', [202, 400, 403, 404, 429, 500]],
  [null, '/platform/authorizations/{call_id}/resend', [202, 400, 403, 404, 429, 500]],
  [null, '/platform/authorizations/{call_id}/cancellation', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/authorizations', [200, 400, 403, 429, 500]],
  [null, '/platform/authorizations/{call_id}', [200, 400, 403, 404, 429, 500]],
  [null, '/platform/commands', [200, 400, 403, 429, 500]],
  [4, '/shipping/tracking/notifications', [202, 400, 401, 403, 429, 500]],
  [4, '/shipping/tracking/shipments/{tracking_number}/notifications',
    [200, 400, 401, 403, 404, 429, 500]],
  [null, '/shipping/tracking/shipments/{tracking_number}/journey',
    [200, 400, 401, 403, 404, 429, 500]],
  [null, '/shipping/tracking/shipments/{tracking_number}/authorization',
    [200, 400, 401, 403, 404, 429, 500]],
  [null, '/shipping/rtt/devices/{device_id}', [200, 400, 403, 404, 429, 500]],
  [null, '/shipping/rtt/devices/{device_id}/last_position', [200, 400, 403, 404, 429, 500]],
  [null, '/shipping/rtt/devices/{device_id}/track', [200, 400, 403, 404, 429, 500]],
  [null, '/shipping/rtt/traceables/{traceable_type}/{traceable_id}/last_position',
    [200, 400, 403, 404, 429, 500]],
  [null, '/shipping/rtt/fleet/last_positions', [200, 400, 403, 429, 500]],
  [null, '/shipping/rtt/ingest/{ingest_id}', [200, 400, 403, 404, 429, 500]],
  [null, '/shipping/tracking/ingest/{ingest_id}', [200, 400, 401, 403, 404, 429, 500]],
  [null, '/shipping/rtt/ingest', [200, 400, 403, 429, 500]],
  [null, '/shipping/tracking/ingest', [200, 400, 401, 403, 429, 500]],
  [null, '/shipping/rtt/calls', [200, 400, 403, 429, 500]],
  [null, '/shipping/tracking/calls', [200, 400, 401, 403, 429, 500]],
  [null, '/shipments/calls', [200, 400, 401, 403, 429, 500]],
  [null, '/shipping/rtt/scores', [200, 400, 403, 429, 500]],
  [null, '/shipping/rtt/limits', [200, 400, 403, 429, 500]],
  [null, '/shipping/tracking/limits', [200, 400, 401, 403, 429, 500]],
  [null, '/shipping/rtt/examinations', [200, 400, 403, 429, 500]],
  [null, '/shipping/rtt/examinations/{party_id}', [202, 400, 403, 404, 429, 500]],
  [null, '/shipping/tracking/examinations', [200, 400, 401, 403, 429, 500]],
  [null, '/shipping/tracking/examinations/{party_id}', [202, 400, 401, 403, 404, 429, 500]],
  [null, '/shipping/rtt/live/positions', [200, 400, 403, 429, 500]],
  [null, '/shipping/rtt/live/facts', [200, 400, 403, 429, 500]],
  [null, '/shipping/tracking/live/facts', [200, 400, 401, 403, 429, 500]],
  [null, '/shipping/rtt/live/fleet', [200, 400, 403, 429, 500]],
  [null, '/platform/live/fleet', [200, 400, 403, 429, 500]],
  [null, '/platform/live/positions', [200, 400, 403, 429, 500]],
  [null, '/platform/live/facts', [200, 400, 403, 429, 500]],
  [null, '/operator/live/facts', [200, 400, 403, 429, 500]],
  [null, '/operator/dead_letters', [200, 400, 403, 429, 500]],
  [null, '/operator/dead_letters/replay', [200, 400, 403, 429, 500]],
  [null, '/operator/dead_letters/replay', [200, 400, 403, 429, 500]],
  [null, '/operator/pipeline', [200, 400, 403, 429, 500]],
  [null, '/operator/audits', [200, 400, 403, 429, 500]],
  [null, '/operator/overflow', [200, 400, 403, 429, 500]],
  [null, '/operator/overflow', [200, 400, 403, 404, 429, 500]],
  [null, '/openapi.json', [200, 400, 500]],
  [null, '/docs', [200, 400, 500]],
  [null, '/docs/api', [200, 400, 500]],
  [null, '/problems/{code}', [200, 400, 404, 500]],
] as const;

/** What every sender reads of itself, whatever its scopes. */
const OF_EVERY_SENDER = new Set([
  'show-ingest', 'list-ingests', 'list-calls', 'show-scores', 'show-limits', 'list-examinations',
  'examine-party',
]);

describe('the catalog', () => {
  it('[RTT-16] [GEN-29] has exactly the addresses and statuses of the interface', () => {
    const found = catalog.operations.filter(({ id }) => !id.startsWith(DRY_RUN))
      .map(({ endpoint, path, responses }) => [endpoint, path, Object.keys(responses).map(Number)]);
    expect(found).toEqual(ADDRESSES);
  });

  it('has a dry run of each operation that appends, at its own address, with its refusals', () => {
    const refusals = ({ responses }: Operation): readonly string[] => (
      Object.keys(responses).filter((status) => Number(status) >= 400));
    const expected = catalog.operations.filter(({ appends }) => appends !== null)
      .map((each) => [`${DRY_RUN}${each.id}`, `${each.path}/dry_run`, ['200', ...refusals(each)]]);
    const found = catalog.operations.filter(({ id }) => id.startsWith(DRY_RUN))
      .map(({ id, path, responses }) => [id, path, Object.keys(responses)]);
    expect(expected.length).toBeGreaterThan(10);
    expect(found).toEqual(expected);
  });

  it('names every operation and topic once', () => {
    const ids = catalog.operations.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(topics.size).toBe(catalog.topics.length);
    expect(Object.keys(OPERATIONS)).toEqual(ids);
    expect(Object.keys(TOPICS)).toEqual(catalog.topics.map(({ output }) => output));
  });
});

describe.each(catalog.operations.map((each) => [each.id, each] as const))(
  'the operation %s',
  (_id, operation) => {
    it('refers to schemas, parameters and headers that exist', () => {
      const { request, responses, params } = operation;
      if (request !== null) expect(bundleTitles()).toContain(request.schema);
      for (const { schema, headers } of Object.values(responses)) {
        expect(titles).toContain(schema);
        for (const name of headers) expect(catalog.response_headers).toHaveProperty(name);
      }
      for (const name of params) expect(catalog.parameters).toHaveProperty(name);
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(params.filter((name) => catalog.parameters[name]?.in === 'path')).toEqual(inPath);
    });

    it('answers each status with codes of its kind from the one table', () => {
      for (const [status, { codes }] of Object.entries(operation.responses)) {
        const kinds = codes.map((code) => CODES[code as keyof typeof CODES].kind);
        expect([...new Set(kinds)], status).toEqual(kindsOf(operation, status));
      }
    });

    it('[GEN-08] [GEN-12] writes errors in the form of its family', () => {
      for (const [status, response] of Object.entries(operation.responses)) {
        const form = `${response.schema} ${response.content_type}`;
        if (form === 'DocumentationPage text/html') continue;
        if (operation.tag === 'live' && form.endsWith(' text/event-stream')) continue;
        if (Number(status) < 400) expect(form).toMatch(/ application\/json$/);
        else if (endpointOf(operation) === 1) {
          const title = status === '500' ? 'AuthorizationError' : 'AuthorizationFailure';
          expect(form).toBe(`${title} application/json`);
        }
        else if (endpointOf(operation) === 3) expect(form).toBe('RevokeFailure application/json');
        else if (endpointOf(operation) === 2) {
          expect(form).toBe('TokenProblemDetails application/problem+json');
        } else expect(form).toBe('ProblemDetails application/problem+json');
      }
    });

    it('[GEN-03] [RTT-12] says when to come back after 429 and 500', () => {
      for (const status of ['429', '500']) {
        const response = operation.responses[status];
        if (response !== undefined) expect(response.headers).toContain('Retry-After');
      }
      expect(catalog.response_headers['Retry-After']?.example).toBe(THROTTLED_RETRY_AFTER_SECONDS);
    });

    it('[RTT-01] needs the country on RTT calls and only there', () => {
      const rtt = operation.server === 'rtt_url';
      expect(operation.params.includes('country_id')).toBe(rtt);
      expect(catalog.parameters['country_id']).toMatchObject({ in: 'query', required: true });
    });

    it('says who may call it', () => {
      const takesToken = operation.authentication === 'bearer';
      expect(operation.audience !== null).toBe(takesToken);
      if (operation.authentication === 'none') expect(operation.tag).toBe('documentation');
      if (operation.audience === 'rtt' && !OF_EVERY_SENDER.has(operation.id)) {
        expect(operation.scope).toMatch(/^(rtt:|query:read$)/);
      }
    });

    it('appends facts of the record of its topic', () => {
      const { appends } = operation;
      if (appends === null) return;
      const record = topics.get(appends.topic)?.record ?? '';
      const bundle = JSON.stringify(bundleOf(record));
      for (const fact of appends.facts) expect(bundle).toContain(`"title":"${fact}"`);
    });

    it('[GEN-17] [GEN-21] limits its body as the kernel does', () => {
      const { request } = operation;
      if (request === null) return;
      const id = operation.id.replace(DRY_RUN, '');
      const isPush = id === 'push-notifications';
      const isSmall = [
        'issue-token', 'revoke-token', 'register-device', 'replay-dead-letters',
        'decide-overflow',
      ].includes(id);
      if (isSmall) expect(request.bytes_max).toBeLessThan(BODY_BYTES_MAX);
      else expect(request.bytes_max).toBe(isPush ? NOTIFICATIONS_BYTES_MAX : BODY_BYTES_MAX);
      if (request.content_type === 'application/json') {
        expect(request.depth_max).toBe(BODY_DEPTH_MAX);
      }
      const { items } = request;
      if (items === undefined) return;
      const list = { type: 'array', maxItems: items.max };
      if (items.pointer === '') {
        expect(bundleOf(request.schema)).toMatchObject({ oneOf: [{ type: 'object' }, list] });
        return;
      }
      expect(bundleOf(request.schema)).toMatchObject({
        properties: { [items.pointer.slice(1)]: list },
      });
    });
  },
);

describe.each(catalog.topics.map((topic) => [topic.name, topic] as const))(
  'the topic %s',
  (name, topic) => {
    it('[GEN-30] has a record, its subject and known headers', () => {
      expect(titles.has(topic.record)).toBe(true);
      expect(topic.subject).toBe(`${name}-value`);
      for (const header of [...topic.headers, ...topic.headers_optional]) {
        expect(catalog.record_headers).toHaveProperty(header);
      }
    });

    it('keeps its records for a stated time in partitions that take a whole body', () => {
      expect(topic.partitions).toBeGreaterThan(0);
      expect(topic.retention_ms === -1 || topic.retention_ms >= 86_400_000).toBe(true);
      expect(topic.message_bytes_max).toBeGreaterThan(BODY_BYTES_MAX);
    });
  },
);

describe('the parameters', () => {
  it.each(Object.entries(catalog.parameters))('%s has a schema', (_name, { schema }) => {
    expect(existsSync(new URL(schema, SCHEMAS))).toBe(true);
  });
});
