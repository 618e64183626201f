import kafkajs from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REGISTRY_TOPICS, registryGrants } from '../../../infra/kafka/registry.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { bundleOf } from '../../../schemas/bundles.ts';
import { readRegistry } from '../../../services/adapters/config/read-registry.ts';
import { openRegistryClient, type RegistryClient } from '../../../services/adapters/registry/client.ts';
import { openLog, wallClock } from '../../support/kafka-logs.ts';
import { startOwnRegistry, statusOf, type OwnRegistry } from '../../support/own-registry.ts';
import { startOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { makeAuthorities, type TestAuthorities } from '../../support/tls-front.ts';

const PASSWORD = 'a-password-of-the-registry';
const SCHEMA = bundleOf('NotificationRecorded');
const SUBJECT = 'a-topic-value';
const WAIT = { timeout: 20_000, interval: 200 };

// The settings are those of components/registry, as a Pod has them.
describe('a registry that keeps its schemas in the log', () => {
  let own: OwnStack;
  let authorities: TestAuthorities;
  const registries: OwnRegistry[] = [];

  async function started(): Promise<OwnRegistry> {
    const user = 'operator';
    const password = own.env.KAFKA_OPERATOR_PASSWORD;
    const registry = await startOwnRegistry({
      brokers: own.env.KAFKA_SASL_BROKERS, password: PASSWORD, authority: authorities.ours,
      loginAtBrokers: 'org.apache.kafka.common.security.plain.PlainLoginModule required'
        + ` username="${user}" password="${password}";`,
    });
    registries.push(registry);
    return registry;
  }

  function clientOf({ url }: OwnRegistry, password = PASSWORD): RegistryClient {
    return openRegistryClient({
      ...readRegistry({
        SCHEMA_REGISTRY_URL: url, SCHEMA_REGISTRY_TLS_CA_FILE: authorities.ours.ca,
        SCHEMA_REGISTRY_USERNAME: 'rastro', SCHEMA_REGISTRY_PASSWORD: password,
      }),
      clientId: 'test', requestMsMax: 60_000,
    });
  }

  beforeAll(async () => {
    authorities = makeAuthorities();
    own = await startOwnStack(['kafka']);
    const kafka = new kafkajs.Kafka({
      brokers: own.env.KAFKA_BROKERS.split(','), logLevel: kafkajs.logLevel.NOTHING,
    }).admin();
    // A broker that answers may not know its controller yet.
    await waitFor(() => kafka.createTopics({
      topics: REGISTRY_TOPICS.map(({ name, config }) => ({
        topic: name, numPartitions: 1, replicationFactor: 1,
        configEntries: Object.entries(config).map(([key, value]) => ({ name: key, value })),
      })),
    }).then(() => true, () => false), { what: 'Making topics', deadlineMs: 60_000 });
    await kafka.disconnect();
    // The rights of its KafkaUser, and none beyond them.
    const log = openLog('platformatic', own.env.KAFKA_BROKERS, []);
    expect(await log.admin.setGrants(registryGrants('operator'))).toBe(true);
    await log.close(wallClock.nowMs());
    await started();
  }, 600_000);

  afterAll(async () => {
    await Promise.all(registries.map(({ kill }) => kill()));
    await own.close();
    authorities.remove();
  });

  it('answers who logs in, and no one else', async () => {
    const [{ url } = { url: '' }] = registries;
    const { ours } = authorities;
    expect(await statusOf(`${url}/subjects`, ours)).toBe(401);
    expect(await statusOf(`${url}/subjects`, ours, 'rastro:wrong')).toBe(401);
    expect(await statusOf(`${url}/subjects`, ours, `rastro:${PASSWORD}`)).toBe(200);
  });

  it('takes schemas of ours, refuses a wrong password, and a killed one finds them in the log', async () => {
    const [first] = registries as [OwnRegistry];
    await expect(clientOf(first, 'wrong').register(SUBJECT, SCHEMA))
      .rejects.toMatchObject({ code: 'registry_unavailable' });
    const id = await clientOf(first).register(SUBJECT, SCHEMA);
    await first.kill();

    const second = await started();
    expect(await clientOf(second).register(SUBJECT, SCHEMA)).toBe(id);
    expect((await clientOf(second).find(id, 'boot'))?.schema).toMatchObject({ title: SCHEMA['title'] });
  }, 600_000);

  it('shares with the other ones what it took', async () => {
    const [, second] = registries as [OwnRegistry, OwnRegistry];
    const third = await started();
    const other = bundleOf('LocationsBody');
    const id = await clientOf(third).register('another-value', other);
    await expect.poll(async () => (await clientOf(second).find(id, 'boot'))?.schema, WAIT)
      .toMatchObject({ title: other['title'] });
  }, 600_000);
});
