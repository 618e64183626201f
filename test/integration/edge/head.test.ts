import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionFacts } from '../../../services/kernel/admission.ts';
import {
  EDGE_TOKEN, GOOD_FACTS, locationsBody, openEdge, problemOf, type Edge,
} from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
const NOBODY: AdmissionFacts = { caller: undefined, device: undefined, quota: undefined };
const ABOVE: AdmissionFacts = {
  ...GOOD_FACTS, quota: { of: 'client', allowed: false, limit: 400, remaining: 0, resetSeconds: 2 },
};

/** A token of the right form, another one for each character. */
function invented(character: string): Record<string, string> {
  return { authorization: `Bearer 00${character.repeat(43)}` };
}

describe('the head of a call', () => {
  let edge: Edge;
  let nowMs: number;

  beforeEach(async () => {
    nowMs = 1_764_000_000_000;
    edge = await openEdge({
      clock: { nowMs: () => nowMs }, http: { badTokensPerMinute: 60, badTokensBurst: 2 },
    });
  });
  afterEach(() => edge.close());

  const stages = (): unknown[] => edge.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'request_answered').map(({ stage }) => stage);

  it('[GEN-42] is authorized before the body of a stranger is unpacked or read', async () => {
    edge.admit(NOBODY);
    const bomb = gzipSync('[],'.repeat(2_000_000));
    for (const body of [bomb, '{', 'x'.repeat(2_000_000)]) {
      const headers = typeof body === 'string' ? {} : { 'content-encoding': 'gzip' };
      const response = await edge.post(body, { headers });
      expect(response.status).toBe(body === 'x'.repeat(2_000_000) ? 429 : 403);
    }
    expect(stages()).toEqual(['head', 'head', 'head']);
    expect(edge.asked.map(({ charges }) => charges)).toEqual([false, false]);
  });

  it('[GEN-42] of a token that was let in recently is authorized once, with its body', async () => {
    await edge.post(BODY);
    await edge.post(BODY);
    expect(edge.asked.map(({ charges }) => charges)).toEqual([false, true, true]);
    nowMs += 30_000;
    await edge.post(BODY);
    expect(edge.asked.map(({ charges }) => charges)).toEqual([false, true, true, false, true]);
  });

  it('[GEN-42] of a client that was above its limit is authorized before its next body', async () => {
    await edge.post(BODY);
    edge.admit(ABOVE);
    expect((await edge.post(BODY)).status).toBe(429);
    const response = await edge.post('x'.repeat(100_000));
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('300');
    expect(stages()).toEqual(['operation', 'authorization', 'head']);
    expect(edge.asked.at(-1)).toMatchObject({ charges: false, bytes: 100_000 - 16_384 });
  });

  it('[RTT-04] of a revoked token is refused at once, however lately it was let in', async () => {
    await edge.post(BODY);
    edge.admit(NOBODY);
    expect((await edge.post(BODY)).status).toBe(403);
    expect((await edge.post(BODY)).status).toBe(403);
    expect(stages()).toEqual(['operation', 'authorization', 'head']);
  });

  it('[GEN-43] with too many bad tokens from its address has to wait, and asks no store', async () => {
    await edge.post(BODY);
    edge.admit(NOBODY);
    for (const character of ['a', 'b']) {
      expect((await edge.post(BODY, { headers: invented(character) })).status).toBe(403);
    }
    edge.admit(GOOD_FACTS);
    const asked = edge.asked.length;
    const refused = await edge.post(BODY, { headers: invented('c') });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await problemOf(refused)).toMatchObject({ code: 'rate_limited' });
    expect(edge.asked).toHaveLength(asked);
    expect((await edge.post(BODY)).status).toBe(202);
    nowMs += 1_000;
    expect((await edge.post(BODY, { headers: invented('c') })).status).toBe(202);
  });

  it('[GEN-43] looks at a good token that comes again while bad ones go on', async () => {
    edge.admit(NOBODY);
    const tryBad = async (character: string): Promise<number> => (
      (await edge.post(BODY, { headers: invented(character) })).status
    );
    const good = { headers: invented('g') };
    expect([await tryBad('a'), await tryBad('b'), await tryBad('c')]).toEqual([403, 403, 429]);
    expect((await edge.post(BODY, good)).status).toBe(429);
    nowMs += 1_000;
    expect([await tryBad('d'), await tryBad('e')]).toEqual([403, 429]);
    edge.admit(GOOD_FACTS);
    expect((await edge.post(BODY, good)).status).toBe(202);
    edge.admit(NOBODY);
    expect(await tryBad('f')).toBe(403);
    expect(await tryBad('h')).toBe(429);
  });

  it('[GEN-43] lets no address wait that sends as many good calls as bad tokens', async () => {
    for (const character of ['a', 'b', 'c', 'd', 'e', 'f']) {
      edge.admit(GOOD_FACTS);
      expect((await edge.post(BODY)).status).toBe(202);
      edge.admit(NOBODY);
      expect((await edge.post(BODY, { headers: invented(character) })).status).toBe(403);
    }
  });

  it('ends in nothing when the caller hangs up while it is authorized', async () => {
    let answer = (): void => undefined;
    const held = await openEdge({
      admission: { read: () => new Promise((resolve) => { answer = () => resolve(GOOD_FACTS); }) },
    });
    const line = connect(held.port, '127.0.0.1');
    line.write('POST /shipping/rtt/georeceiver/acme/locations?country_id=BR HTTP/1.1\r\nHost: a\r\n'
      + `Authorization: Bearer ${EDGE_TOKEN}\r\nContent-Type: application/json\r\n`
      + 'Content-Length: 1000\r\n\r\n{');
    const before = answer;
    await expect.poll(() => answer !== before).toBe(true);
    line.destroy();
    await expect.poll(async () => {
      answer();
      return (await held.metrics()).includes('code="gone"');
    }).toBe(true);
    await held.close();
  });
});
