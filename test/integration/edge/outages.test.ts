import { afterEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import type { Operation } from '../../../services/kernel/http.ts';
import {
  BODY_WAYS, GOOD_FACTS, locationsBody, openEdge, problemOf, type Edge, type EdgeWishes,
} from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());

describe.each(BODY_WAYS)('an outage behind the edge, %s', (_way, usual) => {
  let edge: Edge | undefined;

  afterEach(async () => {
    await edge?.close();
    edge = undefined;
  });

  const open = async (wishes?: EdgeWishes): Promise<Edge> => {
    edge = await openEdge({ ...usual, ...wishes });
    return edge;
  };

  function operationOf(handle: Operation['handle']): Operation {
    return {
      id: 'sample', method: 'POST', path: '/sample', authentication: 'none', bodyKind: 'none',
      bodyBytesMax: 1_024, needsCountry: false, errors: problemErrors, handle,
    };
  }

  it.each(['log_unavailable', 'log_timeout'] as const)(
    '[GEN-03] of the log (%s) is answered 500 with a short Retry-After', async (code) => {
      const { log, post } = await open();
      log.failWith(code);
      const response = await post(BODY);
      expect(response.status).toBe(500);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(5);
      expect(await problemOf(response)).toMatchObject({ code, status: 500 });
    },
  );

  it('[GEN-04] that fills the log is answered 429 with Retry-After: 300', async () => {
    const { log, post } = await open();
    log.failWith('capacity_exhausted');
    const response = await post(BODY);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('300');
  });

  it.each(['state_unavailable', 'state_not_ready'] as const)(
    '[GEN-02] [RTT-15] of the state store (%s) is never a refusal, whatever the input',
    async (code) => {
      const { log, post } = await open({
        admission: { read: () => Promise.reject(new Unavailable(code, 'admit', 'away')) },
      });
      for (const body of [BODY, '{', '{}']) {
        const response = await post(body);
        expect(response.status).toBe(500);
        expect(response.headers.get('retry-after')).toMatch(/^[1-5]$/);
        expect(await problemOf(response)).toMatchObject({ code });
      }
      expect(log.appended).toHaveLength(0);
    },
  );

  it('[GEN-03] that never answers is given up at the deadline', async () => {
    const { post } = await open({
      admission: { read: () => new Promise(() => undefined) },
      http: { requestDeadlineMs: 50 },
    });
    expect(await problemOf(await post(BODY))).toMatchObject({ code: 'state_unavailable' });
  });

  it('[GEN-03] whose operation forgets its deadline is given up a little later', async () => {
    const { url } = await open({
      operations: [operationOf(() => new Promise(() => undefined))],
      http: { requestDeadlineMs: 30, overdueGraceMs: 20 },
    });
    const response = await fetch(`${url}/sample`, { method: 'POST' });
    expect(await problemOf(response)).toMatchObject({ code: 'log_timeout', status: 500 });
  });

  it('[LOC-14] that stalls between admission and append appends nothing', async () => {
    let nowMs = 1_764_000_000_000;
    const { log, post } = await open({
      clock: { nowMs: () => nowMs },
      admission: {
        read: async () => {
          nowMs += 5_000;
          return GOOD_FACTS;
        },
      },
      http: { requestDeadlineMs: 60_000, admissionFreshMs: 5_000 },
    });
    expect(await problemOf(await post(BODY))).toMatchObject({
      code: 'state_unavailable', status: 500,
    });
    expect(log.appended).toHaveLength(0);
  });

  it('[LOC-14] gives the append no longer than admission stays fresh', async () => {
    const { log, post } = await open({
      clock: { nowMs: () => 1_764_000_000_000 },
      http: { requestDeadlineMs: 60_000, admissionFreshMs: 5_000 },
    });
    expect((await post(BODY)).status).toBe(202);
    expect(log.appended[0]?.deadlineMs).toBe(1_764_000_005_000);
  });

  it('[GEN-01] that is a defect is answered 500 without any detail, and is logged', async () => {
    const { url, lines } = await open({
      operations: [operationOf(async () => { throw new TypeError('the secret reason'); })],
    });
    const response = await fetch(`${url}/sample`, {
      method: 'POST', headers: { 'x-request-id': 'defect-1' },
    });
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).toContain('"code":"internal"');
    expect(text).not.toContain('secret');
    const line = lines.find((entry) => entry.includes('request_crashed'));
    expect(line).toContain('defect-1');
    expect(line).toContain('the secret reason');
  });

  it('[GEN-02] never blames the caller for a fault, whatever code it carries', async () => {
    const { url } = await open({
      operations: [operationOf(async () => { throw new Unavailable('invalid_token', 'admit', 'x'); })],
    });
    const response = await fetch(`${url}/sample`, { method: 'POST' });
    expect(await problemOf(response)).toMatchObject({ status: 500, code: 'internal' });
  });

  it('[GEN-04] holds no more bytes of bodies of a client than a quarter of all', async () => {
    const { log, post, metrics } = await open({ http: { bodyBytesInFlightMax: 4_000 } });
    const large = JSON.stringify({ ...locationsBody(), padding: 'x'.repeat(600) });
    log.hold();
    const first = post(large);
    await expect.poll(() => log.held()).toBe(1);
    const second = await post(large);
    expect(second.status).toBe(429);
    expect(await problemOf(second)).toMatchObject({ code: 'capacity_exhausted' });
    log.release();
    expect((await first).status).toBe(202);
    expect((await post(large)).status).toBe(202);
    expect(await metrics()).toContain('rastro_http_body_bytes_held 0');
  });
});
