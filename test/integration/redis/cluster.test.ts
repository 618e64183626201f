import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessStatesSuite } from '../../support/access-states.suite.ts';
import { admissionReaderSuite } from '../../support/admission-reader.suite.ts';
import { deviceStatesSuite } from '../../support/device-states.suite.ts';
import { entityDirectorySuite } from '../../support/entity-directory.suite.ts';
import { authorizationCallsSuite } from '../../support/authorization-calls.suite.ts';
import { commandStatesSuite } from '../../support/command-states.suite.ts';
import { examinationStatesSuite } from '../../support/examination-states.suite.ts';
import { feedStatesSuite } from '../../support/feed-states.suite.ts';
import { openMarkedStates } from '../../support/open-redis-states.ts';
import type { OpenStates } from '../../support/open-states.ts';
import {
  NODE_TIMEOUT_MS, startOwnRedisCluster, type OwnRedisCluster,
} from '../../support/own-redis-cluster.ts';
import { overflowStatesSuite } from '../../support/overflow-states.suite.ts';
import { leasesSuite, partyStatesSuite } from '../../support/party-states.suite.ts';
import { personalKeyStatesSuite } from '../../support/personal-key-states.suite.ts';
import { shipmentStatesSuite } from '../../support/shipment-states.suite.ts';
import { webhookStatesSuite } from '../../support/webhook-states.suite.ts';
import { lastFixesSuite } from '../../support/last-fixes.suite.ts';
import { shipmentIndexSuite } from '../../support/shipment-index.suite.ts';
import { stateStoreSuite } from '../../support/state-store.suite.ts';
import { aClient, asking, aToken } from '../../support/state-facts.ts';
import { tenantLimitsSuite } from '../../support/tenant-limits.suite.ts';

/** What would change who answers for which slots, or show who they are. */
const FORBIDDEN: readonly (readonly string[])[] = [
  ['FAILOVER', 'TAKEOVER'], ['RESET', 'HARD'], ['FORGET', '0'], ['MEET', '127.0.0.1', '1'],
  ['DELSLOTS', '1'], ['SETSLOT', '1', 'STABLE'], ['REPLICATE', '0'], ['FLUSHSLOTS'], ['NODES'],
];

describe('The state store in a Redis Cluster of six, under the rights of a gateway', () => {
  let cluster: OwnRedisCluster;
  const open = async (settings?: Parameters<OpenStates>[0]) => {
    await cluster.flush();
    const states = await openMarkedStates(
      { bootMsMax: 5_000, ...settings, cluster: true, url: cluster.urlOf('gateways') },
    );
    return { ...states, wipe: () => cluster.flush() };
  };

  beforeAll(async () => {
    cluster = await startOwnRedisCluster();
  }, 60_000);
  afterAll(() => cluster.close());

  describe('entries', () => stateStoreSuite(open));
  describe('admission', () => admissionReaderSuite(open));
  describe('limits of tenants', () => tenantLimitsSuite(open));
  describe('access', () => accessStatesSuite(open));
  describe('devices', () => deviceStatesSuite(open));
  describe('entities', () => entityDirectorySuite(open));
  describe('authorized numbers', () => shipmentIndexSuite(open));
  describe('positions and readiness', () => lastFixesSuite(open));
  describe('calls of carriers', () => authorizationCallsSuite(open));
  describe('commands', () => commandStatesSuite(open));
  describe('examinations', () => examinationStatesSuite(open));
  describe('feeds', () => feedStatesSuite(open));
  describe('leases', () => leasesSuite(open));
  describe('overflow', () => overflowStatesSuite(open));
  describe('parties', () => partyStatesSuite(open));
  describe('personal keys', () => personalKeyStatesSuite(open));
  describe('shipments', () => shipmentStatesSuite(open));
  describe('webhooks', () => webhookStatesSuite(open));

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

  it('lets a service ask for slots and health, and change nothing of the cluster', async () => {
    for (const user of ['gateways', 'workers'] as const) {
      const node = new Redis(cluster.urlOf(user));
      try {
        expect(await node.call('CLUSTER', 'SLOTS')).toHaveLength(3);
        expect(await node.call('CLUSTER', 'INFO')).toContain('cluster_state:ok');
        for (const args of FORBIDDEN) {
          await expect(node.call('CLUSTER', ...args)).rejects.toThrow(/NOPERM/);
        }
        await expect(node.call('REPLICAOF', 'NO', 'ONE')).rejects.toThrow(/NOPERM/);
        await expect(node.call('FLUSHALL')).rejects.toThrow(/NOPERM/);
      } finally {
        node.disconnect();
      }
    }
  });

  it('counts defects and batches in flight as workers', async () => {
    await cluster.flush();
    const states = await openMarkedStates({ cluster: true, url: cluster.urlOf('workers') });
    const pending = states.pendingInsertsOf('group');
    const batch = { ranges: [{ partition: 't:0', first: 5n, last: 9n }] };
    await pending.store(batch);
    expect(await pending.load(['t:0'])).toEqual(new Map([['t:0', batch]]));
    await pending.clear(batch);
    expect(await pending.load(['t:0'])).toEqual(new Map());
    await states.defectsOf('journey').add(['id:0:1']);
    expect(await states.defectsOf('journey').load()).toEqual(new Map([['id:0:1', 1]]));
    await states.close();
  });

  it('is refused at boot where a node is replaced sooner than a silent one is left', async () => {
    await expect(openMarkedStates({
      cluster: true, url: cluster.urlOf('gateways'), silentMsMax: NODE_TIMEOUT_MS,
    })).rejects.toMatchObject({
      code: 'state_unavailable', stage: 'boot',
      message: expect.stringContaining('cluster-node-timeout') as string,
    });
  });

  it('is found where the first of its nodes is away', async () => {
    const { host } = new URL(cluster.nodes[1]?.url ?? '');
    const states = await openMarkedStates({
      cluster: true, url: 'redis://gateways:gateways@127.0.0.1:1', clusterNodes: [host],
    });
    expect(await states.readiness.isReady()).toBe(true);
    await states.close();
  });
});
