import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { openRedis, type RedisStates } from '../../../services/adapters/redis/open-redis.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createStates, type States } from '../../../services/state/create-states.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import {
  aClient, aRegistration, asking, aToken, placed, revocationOf, startOf, stopOf,
} from '../../support/state-facts.ts';

describe('Two gateways on one Redis', () => {
  const client = aClient();
  const token = aToken(client);
  let one: OpenedRedis;
  let other: RedisStates & States;

  beforeAll(async () => {
    one = await openRedisStates();
    const config = { ...REDIS_DEFAULTS, url: one.address, requestsBurst: 100_000 };
    other = createStates(config, await openRedis(
      config, { signals: silentSignals, clock: { nowMs: () => Date.now() } },
    ));
  });
  beforeEach(async () => {
    await one.access.applyClient(client);
    await one.access.applyTokens([token]);
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });

  it('let exactly one of 50 registrations through', async () => {
    const device = aRegistration(client);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (
      (i % 2 === 0 ? one : other).devices.claimRegistration(device, `claim-${i}`)
    )));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
    const claim = `claim-${answers.indexOf('taken')}`;
    await one.devices.confirm(device, claim);
    const later = await Promise.all(Array.from({ length: 50 }, (_, i) => (
      (i % 2 === 0 ? one : other).devices.claimRegistration(device, `late-${i}`)
    )));
    expect(new Set(later)).toEqual(new Set(['moved']));
  });

  it('let exactly one of 50 starts, and then one of 50 stops, through', async () => {
    const device = aRegistration(client);
    await one.devices.apply(placed([device]));
    for (const [event, from] of [[startOf(device), 1], [stopOf(device), 2]] as const) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => (
        (i % 2 === 0 ? one : other).devices.claimTransition(event, from, `claim-${i}`)
      )));
      expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
      await one.devices.confirm(event, `claim-${answers.indexOf('taken')}`);
    }
  });

  it('[LOC-14] see no device as tracking from the claim of its stop on', async () => {
    const device = aRegistration(client);
    await one.devices.apply(placed([device, startOf(device)]));
    const read = async (): Promise<number | undefined> =>
      (await other.admission.read(asking(token, { deviceId: device.device_id }))).device?.epoch;
    expect(await read()).toBe(2);
    const early: Promise<number | undefined>[] = [];
    for (let i = 0; i < 40; i++) early.push(read());
    expect(await one.devices.claimTransition(stopOf(device), 2, 'stop')).toBe('taken');
    const late = await Promise.all(Array.from({ length: 40 }, read));
    expect(new Set(late)).toEqual(new Set([3]));
    expect((await Promise.all(early)).every((stage) => stage === 2 || stage === 3)).toBe(true);
    await one.devices.apply(placed([startOf(device)], 9));
    expect(await read()).toBe(3);
  });

  it('[TOK-17] refuse a revoked token at once, whichever of them revoked it', async () => {
    const revoked = aToken(client);
    await one.access.putToken(revoked);
    expect((await other.admission.read(asking(revoked))).caller).toBeDefined();
    await one.access.denyToken(revocationOf(revoked));
    const reads = await Promise.all(
      Array.from({ length: 40 }, () => other.admission.read(asking(revoked))),
    );
    expect(reads.every((facts) => facts.caller === undefined)).toBe(true);
  });

  it('[TOK-14] keep a token only by its SHA-256', async () => {
    const dump = JSON.stringify(await one.dump());
    expect(dump).toContain(`:token:${token.token_hash}`);
    const values = Object.entries(await one.dump()).filter(([key]) => key.includes(':token:'));
    for (const [key, fields] of values) {
      expect(key).toMatch(/^\{s\d\d\}:token:[0-9a-f]{64}$/);
      expect(Object.keys(fields as object).sort()).toEqual(
        ['audience', 'client_id', 'expires_at_ms', 'issued_at_ms', 'revoked', 'scopes'],
      );
    }
  });
});
