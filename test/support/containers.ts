import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';
import { randomBytes } from 'node:crypto';
import { KAFKA_VERSION } from '../../infra/local/kafka.ts';
import { freePorts } from '../../infra/local/ports.ts';
import { EMPTY_STACK_ENV, type StackEnv } from '../../infra/local/stack-env.ts';

/** The addresses of containers and how to end them. */
export type ContainerStack = { readonly env: StackEnv; readonly stop: () => Promise<void> }

const START_MS_MAX = 180_000;

/**
 * The same parts as the local stack, from container images (RASTRO_TESTCONTAINERS=1). Throws one
 * sentence when no container engine answers. Here one user serves as admin, ingest, analyst and
 * history.
 */
export async function startContainers(): Promise<ContainerStack> {
  const password = randomBytes(18).toString('base64url');
  const [kafkaPort = 0] = await freePorts(1);
  const containers: StartedTestContainer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(containers.map((container) => container.stop({ timeout: 5_000 })));
  };
  const start = async (definition: GenericContainer): Promise<StartedTestContainer> => {
    const container = await definition.withStartupTimeout(START_MS_MAX).start();
    containers.push(container);
    return container;
  };
  const outcomes = await Promise.allSettled(
    [kafka(kafkaPort), redis(), clickHouse(password), registry()].map(start),
  );
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw new Error(
      'RASTRO_TESTCONTAINERS=1 asks for containers, but they could not be started: start a ' +
        'container engine, or unset the variable to use the local stack.',
      { cause: failure.reason },
    );
  }
  const [, redisAt = '', clickHouseAt = '', registryAt = ''] = outcomes.map((outcome, index) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    const { value } = outcome;
    return `${value.getHost()}:${value.getMappedPort(CONTAINER_PORTS[index] ?? 0)}`;
  });
  const env: StackEnv = {
    ...EMPTY_STACK_ENV,
    KAFKA_BROKERS: `127.0.0.1:${kafkaPort}`,
    REDIS_URL: `redis://${redisAt}`,
    CLICKHOUSE_URL: `http://${clickHouseAt}`,
    CLICKHOUSE_USER: 'admin',
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_INGEST_USER: 'admin',
    CLICKHOUSE_INGEST_PASSWORD: password,
    ANALYST_USER: 'admin',
    ANALYST_PASSWORD: password,
    CLICKHOUSE_HISTORY_USER: 'admin',
    CLICKHOUSE_HISTORY_PASSWORD: password,
    CLICKHOUSE_PICTURES_USER: 'admin',
    CLICKHOUSE_PICTURES_PASSWORD: password,
    SCHEMA_REGISTRY_URL: `http://${registryAt}/apis/ccompat/v7`,
  };
  return { env, stop };
}

const CONTAINER_PORTS = [9092, 6379, 8123, 8080] as const;

/** The broker must advertise the port by which the tests reach it, so that port is fixed. */
function kafka(port: number): GenericContainer {
  return new GenericContainer(`apache/kafka:${KAFKA_VERSION}`)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://127.0.0.1:${port}`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/));
}

function redis(): GenericContainer {
  return new GenericContainer('redis:7.4')
    .withExposedPorts(6379)
    .withCommand([
      'redis-server',
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
      ...['--maxmemory', '512mb', '--maxmemory-policy', 'noeviction'],
    ])
    .withWaitStrategy(Wait.forListeningPorts());
}

function clickHouse(password: string): GenericContainer {
  return new GenericContainer('clickhouse/clickhouse-server:26.3')
    .withExposedPorts(8123)
    .withEnvironment({
      CLICKHOUSE_DB: 'tracking',
      CLICKHOUSE_USER: 'admin',
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DEFAULT_ACCESS_MANAGEMENT: '1',
    })
    .withWaitStrategy(Wait.forHttp('/ping', 8123));
}

function registry(): GenericContainer {
  return new GenericContainer('apicurio/apicurio-registry:3.0.9')
    .withExposedPorts(8080)
    .withWaitStrategy(Wait.forHttp('/apis/ccompat/v7/subjects', 8080));
}
