import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GOOD_FACTS, openEdge, type Edge } from '../../support/edge.ts';

const BODY = JSON.stringify({ device_id: 'not-even-one', locations: [] });
let edge: Edge;

beforeEach(async () => { edge = await openEdge(); });
afterEach(() => edge.close());

/** Lines of the metric of refusals, without its name. */
async function refusals(): Promise<readonly string[]> {
  return (await edge.metrics()).split('\n')
    .filter((line) => line.startsWith('rastro_http_refusals_total{'))
    .map((line) => line.slice('rastro_http_refusals_total'.length));
}

describe('refusals', () => {
  it('are counted by code and by the provider that the caller may speak for', async () => {
    expect((await edge.post(BODY)).status).toBe(400);
    const [line] = await refusals();
    expect(line).toContain('provider="acme"');
    expect(line).toMatch(/code="[a-z_]+"\} 1$/);
  });

  it('name no provider that only a stranger has written into the path', async () => {
    edge.admit({ ...GOOD_FACTS, caller: undefined });
    expect((await edge.post(BODY)).status).toBe(403);
    expect(await refusals()).toEqual(['{provider="unknown",stage="head",code="invalid_token"} 1']);
    edge.admit(GOOD_FACTS);
    await edge.post(BODY, { path: '/shipping/rtt/georeceiver/made-up/locations?country_id=BR' });
    expect((await refusals()).join()).not.toContain('made-up');
  });

  it('are nothing that an accepted call is', async () => {
    const nowS = Math.floor(Date.now() / 1_000);
    const posted = await edge.post(JSON.stringify({
      device_id: '0b54a7a0-6f4f-5f43-8f3c-3f2f3c1d2e4b', post_timestamp: nowS,
      locations: [{ timestamp: nowS, country_id: 'BR', latitude: 1, longitude: 2 }],
    }));
    expect(posted.status).toBe(202);
    expect(await refusals()).toEqual([]);
  });
});
