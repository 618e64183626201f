import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf, deviceOfCaller } from '../../../services/domain/access/admission.ts';
import { isNewer, type PlacedFix } from '../../../services/domain/fix/is-newer.ts';
import { afterFailure } from '../../../services/domain/quota/failures.ts';
import { bucketAt } from '../../../services/domain/quota/gcra.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import {
  aClient, aRegistration, asking, aToken, placed, revocationOf, startOf, stopOf,
} from '../../support/state-facts.ts';

const scriptOf = (name: string): string => readFileSync(
  new URL(`../../../services/adapters/redis/scripts/${name}.lua`, import.meta.url), 'utf8',
);
const RUNS = { numRuns: 300 };

/** Rules that stay in Lua because they are hot: each says what the domain says. */
describe('A script says the same as the domain about', () => {
  let states: OpenedRedis;
  let raw: Redis;
  beforeAll(async () => {
    states = await openRedisStates();
    ({ raw } = states);
  });
  afterAll(() => states.close());

  const evaluate = (text: string, keys: readonly string[], args: readonly (string | number)[]) =>
    raw.eval(`#!lua\n${text}`, keys.length, ...keys, ...args);

  it('which of two fixes is the last one', async () => {
    const fix: fc.Arbitrary<PlacedFix> = fc.record({
      timestamp: fc.integer({ min: 1, max: 3 }),
      recordId: fc.record({
        topicId: fc.constantFrom('a', 'b'), partition: fc.constant(0),
        offset: fc.oneof(
          fc.bigInt({ min: 0n, max: 120n }), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
        ),
      }),
    });
    const text = `${scriptOf('newer')}
      local kept = ARGV[4] ~= '' and { ARGV[4], ARGV[5], ARGV[6] } or {}
      return newer(kept, ARGV[1], ARGV[2], ARGV[3]) and 1 or 0`;
    const argsOf = ({ timestamp, recordId: { topicId, offset } }: PlacedFix) =>
      [timestamp, topicId, String(offset)];
    const known = fc.option(fix, { nil: undefined });
    await fc.assert(fc.asyncProperty(fix, known, async (mine, kept) => {
      const args = [...argsOf(mine), ...kept === undefined ? ['', '', ''] : argsOf(kept)];
      expect(await evaluate(text, [], args)).toBe(isNewer(mine, kept) ? 1 : 0);
    }), RUNS);
  });

  it('what fits into a limit, and what it leaves', async () => {
    const LOCK_US_MAX = 60_000_000;
    const text = `${scriptOf('gcra')}
      local now = tonumber(ARGV[1])
      local bucket = look(KEYS[1], now, tonumber(ARGV[2]), tonumber(ARGV[3]))
      local cost = tonumber(ARGV[4])
      local fit = fits(bucket, cost) and 1 or 0
      take(bucket, cost)
      return { fit, remaining(bucket), full_again_seconds(bucket), redis.call('GET', KEYS[1]) }`;
    await fc.assert(fc.asyncProperty(fc.record({
      now: fc.integer({ min: 1e12, max: 2e12 }).map((ms) => ms * 1_000),
      ahead: fc.option(fc.integer({ min: -100, max: 200_000_000 }), { nil: undefined }),
      interval: fc.integer({ min: 1, max: 1_000_000 }), burst: fc.integer({ min: 1, max: 500 }),
      cost: fc.integer({ min: 1, max: 700 }),
    }), async ({ now, ahead, interval, burst, cost }) => {
      await (ahead === undefined ? raw.del('bucket') : raw.set('bucket', String(now + ahead)));
      const kept = ahead === undefined ? undefined : now + ahead;
      const before = bucketAt(kept, now, { interval, burst }, LOCK_US_MAX);
      const emptyAt = before.emptyAtAfter(cost);
      const after = bucketAt(emptyAt, now, { interval, burst }, Infinity);
      expect(await evaluate(text, ['bucket'], [now, interval, burst, cost])).toEqual([
        before.fits(cost) ? 1 : 0, after.remaining(), Math.ceil(after.fullAgainIn() / 1e6),
        String(emptyAt),
      ]);
    }), RUNS);
  });

  it('how long a caller waits after a wrong secret', async () => {
    const limit = { free: 3, delayMsMin: 1_000, delayMsMax: 60_000 };
    const key = '{s00}:quota:token-failures:1';
    const text = `${scriptOf('gcra')}
      now_us = function() return tonumber(ARGV[5]) * 1000 end
      ${scriptOf('record-token-failure')}`;
    await fc.assert(fc.asyncProperty(fc.record({
      nowMs: fc.integer({ min: 1e12, max: 2e12 }),
      count: fc.integer({ min: 0, max: 80 }),
      endsIn: fc.integer({ min: -90_000, max: 90_000 }),
    }), async ({ nowMs, count, endsIn }) => {
      const kept = { count, waitEndsMs: nowMs + endsIn };
      await raw.set(key, `${kept.count}:${kept.waitEndsMs}`);
      const { failures, waitMs } = afterFailure(kept, nowMs, limit);
      const { free, delayMsMin, delayMsMax } = limit;
      expect(await evaluate(text, [key], [free, delayMsMin, delayMsMax, 900_000, nowMs]))
        .toBe(Math.ceil(waitMs / 1_000));
      expect(await raw.get(key)).toBe(`${failures.count}:${failures.waitEndsMs}`);
    }), RUNS);
  });

  it('who calls, and for which device', async () => {
    const scopes = ['rtt:devices', 'rtt:locations', 'tracking:push'] as const;
    const some = fc.subarray([...scopes]);
    const revocations = fc.constantFrom({}, { revocations: 1 }, { revocations: 10 });
    await fc.assert(fc.asyncProperty(fc.record({
      granted: some, allowed: some, isActive: fc.boolean(), isRevoked: fc.boolean(),
      isKnown: fc.boolean(), livesMs: fc.constantFrom(-30_000, 3_600_000),
      steps: fc.integer({ min: 0, max: 3 }), isOwn: fc.boolean(),
      revokedAtIssue: revocations, revokedNow: revocations,
    }), async ({
      granted, allowed, isActive, isRevoked, isKnown, livesMs, steps, isOwn, revokedAtIssue,
      revokedNow,
    }) => {
      const nowMs = Date.now();
      const client = aClient({
        scopes: allowed, status: isActive ? 'active' : 'disabled', ...revokedNow,
      });
      const token = aToken(client, {
        scopes: granted, expires_at_ms: nowMs + livesMs, ...revokedAtIssue,
      });
      const device = aRegistration(isOwn ? client : aClient());
      const facts = [device, startOf(device), stopOf(device)].slice(0, steps);
      await states.access.applyClient(client);
      await states.access.applyTokens([
        ...isKnown ? [token] : [], ...isRevoked ? [revocationOf(token)] : [],
      ]);
      await states.devices.apply(placed(facts));
      const caller = callerOf(
        isKnown ? { ...token, revoked: isRevoked } : undefined, client, nowMs,
      );
      const seen = await states.admission.read(asking(token, { deviceId: device.device_id }));
      expect(seen.caller).toEqual(caller);
      const last = facts.at(-1);
      expect(seen.device).toEqual(caller && deviceOfCaller(caller.clientId, last && {
        owner: device.client_id, stage: last.epoch, transportId: String(device.transport_id),
      }));
    }), { numRuns: 100 });
  });
});
