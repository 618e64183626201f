import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionCookie } from '../../../services/kernel/sessions.ts';
import type { TakenCall } from '../../../services/kernel/taken-calls.ts';
import { EDGE_TOKEN, GOOD_FACTS, locationsBody, openEdge, type Edge } from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
let edge: Edge;
let taken: TakenCall[];

beforeEach(async () => {
  taken = [];
  edge = await openEdge({ takenCalls: { report: (call) => { taken.push(call); } } });
});
afterEach(() => edge.close());

describe('taken calls', () => {
  it('are those of a known client that had success', async () => {
    expect((await edge.post(BODY)).status).toBe(202);
    expect(taken).toEqual([{
      clientId: GOOD_FACTS.caller?.clientId, operation: 'send-locations',
      atMs: expect.any(Number) as number,
    }]);
  });

  it('are neither refused ones, nor those of strangers, nor what ended in an outage', async () => {
    expect((await edge.post('{')).status).toBe(400);
    edge.log.failWith('log_unavailable');
    expect((await edge.post(BODY)).status).toBe(500);
    edge.admit({ ...GOOD_FACTS, caller: undefined });
    expect((await edge.post(BODY)).status).toBe(403);
    expect(taken).toEqual([]);
  });

  it('are not what the console asks with the cookie of a session', async () => {
    const cookie = sessionCookie(new Map([['rtt', EDGE_TOKEN]]), '127.0.0.1').split(';')[0] ?? '';
    const headers = { authorization: null, cookie, origin: edge.url };
    expect((await edge.post(BODY, { headers })).status).toBe(202);
    expect(taken).toEqual([]);
  });
});
