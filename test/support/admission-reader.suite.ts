import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AdmissionFacts } from '../../services/kernel/admission.ts';
import { admissionOfSandboxSuite } from './admission-of-sandbox.suite.ts';
import {
  aClient, aRegistration, asking, aToken, placed, revocationOf, sha256, startOf, stopOf,
} from './state-facts.ts';
import type { OpenedStates, OpenStates } from './open-states.ts';

/** What every implementation of the port AdmissionReader must do. */
export function admissionReaderSuite(open: OpenStates): void {
  const client = aClient();
  const token = aToken(client);
  const nobody = { caller: undefined, device: undefined, quota: undefined };
  let states: OpenedStates;
  beforeEach(async () => {
    states = await open();
    await states.access.applyClient(client);
    await states.access.putToken(token);
  });
  afterEach(() => states.close());

  describe('the caller', () => {
    it('is known by a good token', async () => {
      const facts = await states.admission.read(asking(token));
      expect(facts.caller).toEqual({
        clientId: client.client_id, userId: client.user_id, audience: 'rtt',
        scopes: ['rtt:devices', 'rtt:locations'], providers: ['acme', 'best'],
      });
      expect(facts.device).toBeUndefined();
      expect(facts.quota).toMatchObject({ allowed: true, limit: 400 });
    });

    it('finds no caller for an unknown token', async () => {
      const unknown = { ...asking(token), tokenHash: sha256('never issued') };
      expect(await states.admission.read(unknown)).toEqual(nobody);
    });

    it('[TOK-17] finds no caller at once after the token was revoked', async () => {
      await states.access.denyToken(revocationOf(token));
      expect(await states.admission.read(asking(token))).toEqual(nobody);
      await states.access.applyTokens([token]);
      expect(await states.admission.read(asking(token))).toEqual(nobody);
    });

    it('[TOK-15] finds no caller from the end of the token on', async () => {
      const ending = aToken(client, { expires_at_ms: Date.now() + 300 });
      await states.access.putToken(ending);
      expect((await states.admission.read(asking(ending))).caller).toBeDefined();
      await vi.waitFor(async () => {
        expect(await states.admission.read(asking(ending))).toEqual(nobody);
      });
      expect(Date.now()).toBeGreaterThanOrEqual(ending.expires_at_ms - 50);
    });

    it('finds no caller when the client is unknown or disabled', async () => {
      const orphan = aToken(aClient());
      await states.access.putToken(orphan);
      expect(await states.admission.read(asking(orphan))).toEqual(nobody);
      await states.access.applyClient({ ...client, version: 2, status: 'disabled' });
      expect(await states.admission.read(asking(token))).toEqual(nobody);
    });

    it('has only scopes that token and client both have now', async () => {
      await states.access.applyClient({ ...client, version: 2, scopes: ['rtt:events', 'rtt:devices'] });
      expect((await states.admission.read(asking(token))).caller?.scopes).toEqual(['rtt:devices']);
    });

    it('[TOK-18] keeps its other tokens when one is revoked', async () => {
      const other = aToken(client, { audience: 'revoke', scopes: [] });
      await states.access.putToken(other);
      await states.access.denyToken(revocationOf(token));
      const facts = await states.admission.read(asking(other));
      expect(facts.caller).toMatchObject({ audience: 'revoke', scopes: [] });
    });
  });

  describe('the device', () => {
    it('is seen with its stage as it rises', async () => {
      const device = aRegistration(client);
      const read = async (): Promise<AdmissionFacts['device']> =>
        (await states.admission.read(asking(token, { deviceId: device.device_id }))).device;
      expect(await read()).toBeUndefined();
      await states.devices.apply(placed([device]));
      expect(await read()).toEqual({ epoch: 1, transportId: String(device.transport_id) });
      await states.devices.apply(placed([startOf(device)], 1));
      expect((await read())?.epoch).toBe(2);
      expect(await states.devices.claimTransition(stopOf(device), 2, 'a')).toBe('taken');
      expect((await read())?.epoch).toBe(3);
      await states.devices.release(stopOf(device), 'a');
      expect((await read())?.epoch).toBe(3);
    });

    it('[LOC-16] is absent when it is another client\'s, as when it does not exist', async () => {
      const foreign = aRegistration(aClient());
      await states.devices.apply(placed([foreign, startOf(foreign)]));
      const there = await states.admission.read(asking(token, { deviceId: foreign.device_id }));
      const missing = await states.admission.read(asking(token, { deviceId: 'no such device' }));
      expect(there.device).toBeUndefined();
      expect(missing.device).toBeUndefined();
    });

    it('is absent while only later facts than its registration are known', async () => {
      const device = aRegistration(client);
      await states.devices.apply(placed([startOf(device)]));
      const facts = await states.admission.read(asking(token, { deviceId: device.device_id }));
      expect(facts.device).toBeUndefined();
    });
  });

  limits(open);
  admissionOfSandboxSuite(open);

  it('answers state_not_ready without the ready mark', async () => {
    await states.wipe();
    await expect(states.admission.read(asking(token)))
      .rejects.toMatchObject({ code: 'state_not_ready', stage: 'admit' });
  });
}

function limits(open: OpenStates): void {
  const client = aClient();
  const token = aToken(client);
  const other = aClient();
  const otherToken = aToken(other);

  async function opened(settings: Parameters<OpenStates>[0]): Promise<OpenedStates> {
    const states = await open(settings);
    await states.access.applyClient(client);
    await states.access.applyClient(other);
    await states.access.applyTokens([token, otherToken]);
    return states;
  }

  describe('the limits', () => {
    it('[RTT-13] allow a burst of 400 requests and then refuse this client only', async () => {
      const states = await opened({ requestsPerSecond: 0.01 });
      const reads = await Promise.all(
        Array.from({ length: 401 }, () => states.admission.read(asking(token))),
      );
      expect(reads.slice(0, 400).every((facts) => facts.quota?.allowed)).toBe(true);
      expect(reads[399]?.quota).toMatchObject({ limit: 400, remaining: 0 });
      expect(reads[400]?.quota).toMatchObject({ allowed: false, remaining: 0 });
      expect(reads[400]?.caller).toBeDefined();
      const free = await states.admission.read(asking(otherToken));
      expect(free.quota).toMatchObject({ allowed: true, remaining: 399 });
      await states.close();
    });

    it('[RTT-14] allow 20,000 locations at once, and report the tighter limit', async () => {
      const states = await opened({ requestsPerSecond: 0.01, locationsPerSecond: 1 });
      for (let i = 1; i <= 20; i++) {
        const facts = await states.admission.read(asking(token, { locations: 1_000 }));
        expect(facts.quota).toMatchObject({
          allowed: true, limit: 20_000, remaining: 20_000 - i * 1_000,
        });
      }
      const refused = await states.admission.read(asking(token, { locations: 1_000 }));
      expect(refused.quota).toMatchObject({ allowed: false, limit: 20_000 });
      const without = await states.admission.read(asking(token));
      expect(without.quota).toMatchObject({ allowed: true, limit: 400, remaining: 379 });
      await states.close();
    });

    it('[RTT-13] [RTT-12] allow a burst of 40 calls of one device, and spare all others', async () => {
      const states = await opened({ deviceRequestsPerSecond: 0.01, requestsPerSecond: 0.01 });
      const [greedy, calm] = [aRegistration(client), aRegistration(client)];
      await states.devices.apply(placed([greedy, calm]));
      const read = (deviceId?: string): Promise<AdmissionFacts> =>
        states.admission.read(asking(token, { ...deviceId && { deviceId }, locations: 1 }));
      const reads = await Promise.all(Array.from({ length: 60 }, () => read(greedy.device_id)));
      expect(reads.map(({ quota }) => quota?.allowed))
        .toEqual(Array.from({ length: 60 }, (_, i) => i < 40));
      expect(reads[39]?.quota).toMatchObject({ of: 'device', limit: 40, remaining: 0 });
      expect(reads[59]?.quota).toMatchObject({ of: 'device', allowed: false, resetSeconds: 4_000 });
      expect((await read(calm.device_id)).quota)
        .toMatchObject({ of: 'client', allowed: true, limit: 400, remaining: 359 });
      expect((await read()).quota).toMatchObject({ of: 'client', allowed: true, remaining: 358 });
      await states.close();
    });

    it('count nothing against a device that is not the caller\'s', async () => {
      const states = await opened({ deviceRequestsPerSecond: 0.01, deviceRequestsBurst: 1 });
      const device = aRegistration(other);
      await states.devices.apply(placed([device]));
      const ask = asking(token, { deviceId: device.device_id });
      for (let i = 0; i < 3; i++) {
        expect((await states.admission.read(ask)).quota).toMatchObject({ of: 'client' });
      }
      const own = { ...asking(otherToken), deviceId: device.device_id };
      expect((await states.admission.read(own)).quota).toMatchObject({ allowed: true });
      expect((await states.admission.read(own)).quota)
        .toMatchObject({ of: 'device', allowed: false });
      await states.close();
    });

    it('[GEN-39] charge the bytes that a body has beyond those of every call', async () => {
      const states = await opened({ bytesPerSecond: 1, bytesBurst: 10_000 });
      const first = await states.admission.read(asking(token, { bytes: 6_000 }));
      expect(first.quota).toMatchObject({
        of: 'client-bytes', allowed: true, limit: 10_000, remaining: 4_000,
      });
      const second = await states.admission.read(asking(token, { bytes: 6_000 }));
      expect(second.quota).toMatchObject({ of: 'client-bytes', allowed: false, remaining: 4_000 });
      const small = await states.admission.read(asking(token));
      expect(small.quota).toMatchObject({ of: 'client', allowed: true });
      await states.close();
    });

    it('[GEN-70] charge notifications apart from calls, and none of a refused one', async () => {
      const states = await opened({ notificationsPerSecond: 0.01, notificationsBurst: 100 });
      const ask = (notifications: number): Promise<AdmissionFacts> =>
        states.admission.read(asking(token, { notifications }));
      expect((await ask(60)).quota)
        .toMatchObject({ of: 'client-notifications', allowed: true, limit: 100, remaining: 40 });
      expect((await ask(60)).quota)
        .toMatchObject({ of: 'client-notifications', allowed: false, remaining: 40 });
      expect((await ask(40)).quota).toMatchObject({ allowed: true, remaining: 0 });
      expect((await states.admission.read(asking(token, { locations: 1 }))).quota)
        .toMatchObject({ of: 'client', allowed: true });
      const own = { notifications_per_second: 30 };
      await states.access.applyClient({ ...client, version: 2, limits: own });
      expect((await ask(0)).quota).toMatchObject({ of: 'client', limit: 400 });
      expect((await ask(1)).quota).toMatchObject({ of: 'client-notifications', limit: 300_000 });
      await states.close();
    });

    it('[GEN-42] say whether a call would fit, and charge nothing, when only its head is authorized',
      async () => {
        const states = await opened({
          requestsPerSecond: 0.01, requestsBurst: 2, bytesPerSecond: 1, bytesBurst: 10_000,
        });
        const inspect = (bytes = 0): Promise<AdmissionFacts> =>
          states.admission.read(asking(token, { bytes, charges: false }));
        for (let i = 0; i < 5; i += 1) {
          expect((await inspect()).quota).toMatchObject({ allowed: true, limit: 2, remaining: 2 });
        }
        await states.admission.read(asking(token, { bytes: 6_000 }));
        expect((await inspect(6_000)).quota).toMatchObject({ of: 'client-bytes', allowed: false });
        expect((await inspect()).quota).toMatchObject({ of: 'client', allowed: true, remaining: 1 });
        await states.admission.read(asking(token));
        expect((await inspect()).quota).toMatchObject({ of: 'client', allowed: false, remaining: 0 });
        await states.close();
      });

    it('[GEN-40] are those of the client where it has its own, from its next call on', async () => {
      const states = await opened({});
      const own = {
        requests_per_second: 500, locations_per_second: 7, device_requests_per_second: 3,
      };
      await states.access.applyClient({ ...client, version: 2, limits: own });
      expect((await states.admission.read(asking(token))).quota)
        .toMatchObject({ of: 'client', limit: 1_000 });
      expect((await states.admission.read(asking(token, { locations: 7 }))).quota)
        .toMatchObject({ of: 'client-locations', limit: 7, remaining: 0 });
      expect((await states.admission.read(asking(otherToken))).quota)
        .toMatchObject({ of: 'client', limit: 400 });
      const device = aRegistration(client);
      await states.devices.apply(placed([device]));
      const ask = asking(token, { deviceId: device.device_id });
      expect((await states.admission.read(ask)).quota).toMatchObject({ of: 'device', limit: 6 });
      await states.access.applyClient({ ...client, version: 3, limits: { bytes_per_second: 9 } });
      expect((await states.admission.read(asking(token, { bytes: 1 }))).quota)
        .toMatchObject({ of: 'client-bytes', limit: 18 });
      expect((await states.admission.read(asking(token))).quota)
        .toMatchObject({ of: 'client', limit: 400 });
      await states.access.applyClient({ ...client, version: 4 });
      expect((await states.admission.read(asking(token, { bytes: 1 }))).quota)
        .toMatchObject({ of: 'client-bytes', limit: 41_943_040 });
      await states.close();
    });

    it('fill up again as time passes', async () => {
      const states = await opened({ requestsPerSecond: 20, requestsBurst: 1 });
      expect((await states.admission.read(asking(token))).quota?.allowed).toBe(true);
      expect((await states.admission.read(asking(token))).quota)
        .toMatchObject({ allowed: false, resetSeconds: 1 });
      await vi.waitFor(async () => {
        expect((await states.admission.read(asking(token))).quota?.allowed).toBe(true);
      });
      await states.close();
    });

    it('let a call above the burst pass when nothing else was asked before', async () => {
      const states = await opened({ locationsPerSecond: 10, locationsBurst: 10 });
      const big = await states.admission.read(asking(token, { locations: 500 }));
      expect(big.quota).toMatchObject({ allowed: true, remaining: 0 });
      const next = await states.admission.read(asking(token, { locations: 1 }));
      expect(next.quota).toMatchObject({ allowed: false });
      await states.close();
    });

    it('charge nothing for a token that is not good', async () => {
      const states = await opened({ requestsPerSecond: 0.01, requestsBurst: 1 });
      const bad = { ...asking(token), tokenHash: sha256('unknown') };
      for (let i = 0; i < 5; i++) await states.admission.read(bad);
      expect((await states.admission.read(asking(token))).quota?.allowed).toBe(true);
      await states.close();
    });
  });
}
