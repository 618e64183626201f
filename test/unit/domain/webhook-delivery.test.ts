import { describe, expect, it } from 'vitest';
import { classifyDelivery, type DeliveryRetry, type DeliveryTry } from '../../../services/domain/webhook/delivery.ts';
import { WEBHOOK_LIMITS } from '../../../services/workers/parties/webhooks/config.ts';

const RETRY: DeliveryRetry = WEBHOOK_LIMITS.retry;
const NOW_MS = 1_764_000_000_000;
const FIRST = { failures: 0, sinceMs: NOW_MS };

const answered = (status: number, retryAfterMs?: number): DeliveryTry => ({ kind: 'answer', status, retryAfterMs });
const verdict = (tried: DeliveryTry, before = FIRST, nowMs = NOW_MS, random = 0) => (
  classifyDelivery(RETRY, tried, before, nowMs, random)
);

describe('A try to deliver a fact', () => {
  it.each([200, 202, 204, 299])('is a delivery with %s', (status) => {
    expect(verdict(answered(status))).toEqual({ outcome: 'delivered', status, failures: 1 });
  });

  it.each([199, 300, 302, 307, 400, 401, 404, 429, 500, 503])('is tried again after %s', (status) => {
    expect(verdict(answered(status))).toMatchObject({
      outcome: 'retry', reason: 'answered', status, failures: 1, waitMs: 5_000, sinceMs: NOW_MS,
    });
  });

  it.each(['timeout', 'network', 'forbidden_address'] as const)('is tried again after %s', (reason) => {
    expect(verdict({ kind: 'lost', reason })).toMatchObject({ outcome: 'retry', reason, waitMs: 5_000 });
  });

  it('is parked at once by 410', () => {
    expect(verdict(answered(410))).toMatchObject({ outcome: 'parked', reason: 'gone', waitMs: 0 });
  });

  it('waits as long as a busy receiver asks for, a day at most, and holds the others too', () => {
    expect(verdict(answered(503, 60_000))).toMatchObject({ waitMs: 60_000, holdMs: 60_000 });
    expect(verdict(answered(429, 1_000))).toMatchObject({ waitMs: 5_000, holdMs: 1_000 });
    expect(verdict(answered(429, 9e9))).toMatchObject({ waitMs: 86_400_000, holdMs: 86_400_000 });
    expect(verdict(answered(500, 60_000))).not.toMatchObject({ holdMs: 60_000 });
  });

  it('waits a tenth less at most, and never more than an hour', () => {
    const after = (failures: number, random: number) => (
      verdict(answered(500), { failures, sinceMs: NOW_MS }, NOW_MS, random)
    );
    expect(after(3, 1)).toMatchObject({ waitMs: 36_000 });
    expect(after(60, 0)).toMatchObject({ waitMs: 3_600_000 });
  });

  it('is parked when it fails eighty hours after the first one, not before', () => {
    const before = { failures: 80, sinceMs: NOW_MS };
    expect(verdict(answered(500), before, NOW_MS + RETRY.triedMsMax - 1)).toMatchObject({ outcome: 'retry' });
    expect(verdict(answered(500), before, NOW_MS + RETRY.triedMsMax)).toMatchObject({
      outcome: 'parked', reason: 'answered', failures: 81, waitMs: 0,
    });
  });
});
