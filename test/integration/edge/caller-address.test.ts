import { afterEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../../services/kernel/http.ts';
import { problemErrors } from '../../../services/gateways/common/problem.ts';
import { openEdge, type Edge } from '../../support/edge.ts';

/** Answers with the address that an operation gets. */
const MIRROR: Operation = {
  id: 'mirror', method: 'GET', path: '/mirror', authentication: 'none', bodyKind: 'none',
  bodyBytesMax: 0, needsCountry: false, errors: problemErrors,
  handle: async ({ address }) => ({ kind: 'answer', status: 200, body: { address } }),
};

let edge: Edge | undefined;

afterEach(() => edge?.close());

async function addressFor(trustedProxies: readonly string[], forwarded?: string): Promise<unknown> {
  edge = await openEdge({ operations: [MIRROR], http: { trustedProxies } });
  const headers: Record<string, string> = forwarded === undefined
    ? {} : { 'x-forwarded-for': forwarded };
  const response = await fetch(`${edge.url}/mirror`, { headers });
  return response.json();
}

describe('the address of a caller', () => {
  it("is the connection's when no proxy is trusted, whatever is claimed", async () => {
    expect(await addressFor([], '203.0.113.9')).toEqual({ address: '127.0.0.1' });
  });

  it('is the one that a trusted balancer names, from the right', async () => {
    const claimed = '198.51.100.1, 203.0.113.9, 10.1.2.3';
    expect(await addressFor(['127.0.0.1', '10.0.0.0/8'], claimed))
      .toEqual({ address: '203.0.113.9' });
  });

  it("is the line's when a balancer that is not trusted claims another", async () => {
    expect(await addressFor(['10.0.0.0/8'], '203.0.113.9')).toEqual({ address: '127.0.0.1' });
  });

  it('is the same for a post to an address that came before, which Express does not see', async () => {
    const operations: readonly Operation[] = [{ ...MIRROR, method: 'POST' }];
    const mirror = await openEdge({ operations, http: { trustedProxies: ['127.0.0.1'] } });
    edge = mirror;
    const post = async (address: string): Promise<unknown> => {
      const response = await fetch(`${mirror.url}/mirror`, {
        method: 'POST', headers: { 'x-forwarded-for': address },
      });
      return response.json();
    };
    for (const address of ['203.0.113.9', '203.0.113.9', '198.51.100.1']) {
      expect(await post(address)).toEqual({ address });
    }
  });

  it('needs networks that can be read, at boot', async () => {
    await expect(addressFor(['everybody'])).rejects.toThrow('everybody');
  });
});
