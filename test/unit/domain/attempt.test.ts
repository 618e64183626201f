import { describe, expect, it } from 'vitest';
import { classifyTry, type Try } from '../../../services/domain/monitoring/attempt.ts';
import { commandKeyOf, transportIdOf } from '../../../services/domain/monitoring/command.ts';

const CONFIG = { backoffFirstMs: 1_000, backoffMsMax: 300_000, throttledMs: 300_000 };
const classify = (tried: Try, attempt = 1, isTokenNew = false, random = 1) =>
  classifyTry(tried, { attempt, isTokenNew, random }, CONFIG);
const answer = (status: number): Try => ({ kind: 'answer', status });

describe('what is done after an attempt', () => {
  it.each([
    ['[CMD-23]', 200, 'done'], ['', 204, 'done'],
    ['[CMD-24]', 400, 'refused'], ['[CMD-35]', 404, 'refused'], ['[CMD-35]', 422, 'refused'],
    ['[CMD-35]', 499, 'refused'], ['[CMD-25]', 403, 'ended'],
  ] as const)('%s %i ends as %s', (_row, status, outcome) => {
    expect(classify(answer(status))).toEqual({ step: 'end', outcome });
  });

  it.each([500, 501, 502, 503, 599])('[CMD-26] [CMD-35] %i is tried again, whatever the count',
    (status) => {
      for (const attempt of [1, 2, 50, 1e6]) {
        expect(classify(answer(status), attempt)).toMatchObject({ step: 'retry', reason: 'answered' });
      }
    });

  it.each([
    [{ kind: 'lost', reason: 'timeout' }, 'timeout'],
    [{ kind: 'lost', reason: 'network' }, 'network'],
    [{ kind: 'no_token', reason: 'token_unavailable' }, 'token_unavailable'],
    [{ kind: 'no_token', reason: 'token_refused' }, 'token_refused'],
    [{ kind: 'answer', status: 302 }, 'redirect'],
    [{ kind: 'answer', status: 307 }, 'redirect'],
  ] as const)('[CMD-27] %o is treated like 500', (tried, reason) => {
    expect(classify(tried, 3)).toEqual({ step: 'retry', waitMs: 4_000, reason });
  });

  it('[CMD-30] 401 takes a new token once, and is then as 403', () => {
    expect(classify(answer(401))).toEqual({ step: 'renew_token' });
    expect(classify(answer(401), 1, true)).toEqual({ step: 'end', outcome: 'ended' });
  });

  it('[CMD-31] 429 waits five minutes', () => {
    for (const attempt of [1, 30]) {
      expect(classify(answer(429), attempt, false, 0.01))
        .toEqual({ step: 'retry', waitMs: 300_000, reason: 'throttled' });
    }
  });

  it('[CMD-28] waits 1 second, doubling up to 5 minutes, with full jitter', () => {
    const most = [1, 2, 3, 4, 5, 9, 10, 11, 1e6].map((attempt) => classify(answer(500), attempt));
    expect(most.map((verdict) => verdict.step === 'retry' && verdict.waitMs)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 256_000, 300_000, 300_000, 300_000,
    ]);
    expect(classify(answer(500), 10, false, 0.5)).toMatchObject({ waitMs: 150_000 });
    expect(classify(answer(500), 10, false, 0)).toMatchObject({ waitMs: 100 });
  });
});

describe('the key of a command', () => {
  const transport = { id: 42, license_plate: 'A', country_id: 'BR' };

  it('is its transport, or its first route', () => {
    const start = { command: 'start_tracking', transport } as const;
    const routes = {
      command: 'check_planned_routes',
      planned_routes: [{ route_id: 5 }, { route_id: 6 }],
    } as Parameters<typeof commandKeyOf>[0];
    expect([commandKeyOf(start), transportIdOf(start)]).toEqual(['42', 42]);
    const asText = { ...start, transport: { ...transport, id: '42' } };
    expect([commandKeyOf(asText), transportIdOf(asText)]).toEqual(['42', 42]);
    expect([commandKeyOf(routes), transportIdOf(routes)]).toEqual(['route:5', undefined]);
  });
});
