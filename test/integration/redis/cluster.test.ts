import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accessStatesSuite } from '../../support/access-states.suite.ts';
import { admissionReaderSuite } from '../../support/admission-reader.suite.ts';
import { deviceStatesSuite } from '../../support/device-states.suite.ts';
import { openRedisStates } from '../../support/open-redis-states.ts';
import type { OpenStates } from '../../support/open-states.ts';
import { startOwnRedis, type OwnRedis } from '../../support/own-redis.ts';
import { lastFixesSuite } from '../../support/last-fixes.suite.ts';
import { shipmentIndexSuite } from '../../support/shipment-index.suite.ts';
import { stateStoreSuite } from '../../support/state-store.suite.ts';
import { aClient, asking, aToken } from '../../support/state-facts.ts';
import { tenantLimitsSuite } from '../../support/tenant-limits.suite.ts';

describe('The state store in a Redis Cluster', () => {
  let server: OwnRedis;
  const open = (settings?: Parameters<OpenStates>[0]) =>
    openRedisStates({ ...settings, cluster: true, bootMsMax: 5_000 }, server.url);

  beforeAll(async () => {
    // One node that owns every slot: enough to refuse a call that touches two of them.
    server = await startOwnRedis(
      '--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1',
    );
    await server.raw.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await vi.waitFor(async () => {
      expect(await server.raw.call('CLUSTER', 'INFO')).toContain('cluster_state:ok');
    }, { timeout: 10_000 });
  });
  afterAll(() => server.close());

  describe('entries', () => stateStoreSuite(open));
  describe('admission', () => admissionReaderSuite(open));
  describe('limits of tenants', () => tenantLimitsSuite(open));
  describe('access', () => accessStatesSuite(open));
  describe('devices', () => deviceStatesSuite(open));
  describe('authorized numbers', () => shipmentIndexSuite(open));
  describe('positions and readiness', () => lastFixesSuite(open));

  it('reads calls of many clients of one turn, each in its own slot', async () => {
    const states = await open();
    const clients = Array.from({ length: 20 }, () => aClient());
    const tokens = clients.map((client) => aToken(client));
    for (const client of clients) await states.access.applyClient(client);
    await states.access.applyTokens(tokens);
    const reads = await Promise.all(tokens.map((token) => states.admission.read(asking(token))));
    expect(reads.map(({ caller }) => caller?.clientId))
      .toEqual(clients.map(({ client_id }) => client_id));
    await states.close();
  });
});
