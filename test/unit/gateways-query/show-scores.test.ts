import { describe, expect, it } from 'vitest';
import { showScores } from '../../../services/gateways/query/operations/show-scores.ts';
import { callOf } from '../../support/calls.ts';
import { aScore, fakeProviderQuality } from '../../support/fake-provider-quality.ts';

const pause = (): Promise<void> => new Promise(() => undefined);

describe('the scores of providers', () => {
  it('are those of the caller\'s providers alone, with the days that they are of', async () => {
    const quality = fakeProviderQuality();
    quality.scores.push(aScore({ provider: 'acme' }), aScore({ provider: 'best' }));
    expect(await showScores(quality, pause).handle(callOf())).toMatchObject({
      status: 200,
      body: {
        since: expect.stringMatching(/T00:00:00\.000Z$/) as string,
        until: expect.stringMatching(/T00:00:00\.000Z$/) as string,
        providers: [{ provider: 'acme', devices: 12, fixes: 120_000, latency_p95_s: 4.5 }],
      },
    });
  });

  it('are none before the first day is computed', async () => {
    expect(await showScores(fakeProviderQuality(), pause).handle(callOf()))
      .toEqual({ kind: 'answer', status: 200, body: { providers: [] } });
  });
});
