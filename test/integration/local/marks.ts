import { Redis } from 'ioredis';
import { Kafka, logLevel } from 'kafkajs';
import type { PartName } from '../../../infra/local/part.ts';
import type { StackEnv } from '../../../infra/local/stack-env.ts';

/** Leaves something acknowledged in a part, and later reads whether it is still there. */
export type Mark = {
  readonly leave: (env: StackEnv, mark: string) => Promise<void>;
  readonly read: (env: StackEnv, mark: string) => Promise<string | undefined>;
};

/** One way per part; `read` answers the mark itself when it is found. */
export const MARKS: { readonly [name in PartName]: Mark } = {
  kafka: { leave: leaveInKafka, read: readFromKafka },
  redis: {
    leave: async (env, mark) => {
      await withRedis(env, (redis) => redis.set(mark, mark));
    },
    read: (env, mark) => withRedis(env, async (redis) => (await redis.get(mark)) ?? undefined),
  },
  clickhouse: {
    leave: async (env, mark) => {
      await runAsAdmin(env, `CREATE TABLE tracking.${mark} (m String) ENGINE = MergeTree ORDER BY m`);
      await runAsAdmin(env, `INSERT INTO tracking.${mark} VALUES ('${mark}')`);
    },
    read: (env, mark) => runAsAdmin(env, `SELECT m FROM tracking.${mark} FORMAT TSV`),
  },
  registry: { leave: leaveInRegistry, read: readFromRegistry },
};

/** Runs a statement as a named user; throws the server's text when it refuses. */
export async function runStatement(
  env: StackEnv,
  user: { readonly name: string; readonly password: string },
  statement: string,
): Promise<string> {
  const headers = { 'X-ClickHouse-User': user.name, 'X-ClickHouse-Key': user.password };
  const request = { method: 'POST', body: statement, headers };
  const response = await fetch(env.CLICKHOUSE_URL, request);
  const text = (await response.text()).trim();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Runs a statement as the local admin. */
export function runAsAdmin(env: StackEnv, statement: string): Promise<string> {
  const admin = { name: env.CLICKHOUSE_USER, password: env.CLICKHOUSE_PASSWORD };
  return runStatement(env, admin, statement);
}

function kafkaClient(env: StackEnv): Kafka {
  return new Kafka({ brokers: env.KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING });
}

async function leaveInKafka(env: StackEnv, mark: string): Promise<void> {
  const kafka = kafkaClient(env);
  const admin = kafka.admin();
  const producer = kafka.producer();
  await Promise.all([admin.connect(), producer.connect()]);
  // Not waiting for leaders: that call is known to fail now and then while they are elected.
  await admin.createTopics({ topics: [{ topic: mark, numPartitions: 1 }], waitForLeaders: false });
  await producer.send({ topic: mark, acks: -1, messages: [{ value: mark }] });
  await Promise.all([admin.disconnect(), producer.disconnect()]);
}

async function readFromKafka(env: StackEnv, mark: string): Promise<string | undefined> {
  const consumer = kafkaClient(env).consumer({ groupId: `${mark}-${Date.now()}` });
  await consumer.connect();
  await consumer.subscribe({ topic: mark, fromBeginning: true });
  try {
    return await new Promise((resolve, reject) => {
      const eachMessage = async ({ message }: { message: { value: Buffer | null } }) => {
        resolve(message.value?.toString());
      };
      consumer.run({ eachMessage }).catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
}

async function withRedis<T>(env: StackEnv, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(env.REDIS_URL, { maxRetriesPerRequest: 3, maxLoadingRetryTime: 100 });
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

async function leaveInRegistry(env: StackEnv, mark: string): Promise<void> {
  const schema = { type: 'object', title: mark, properties: { m: { type: 'string' } } };
  const response = await fetch(`${env.SCHEMA_REGISTRY_URL}/subjects/${mark}/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schemaType: 'JSON', schema: JSON.stringify(schema) }),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function readFromRegistry(env: StackEnv, mark: string): Promise<string | undefined> {
  const response = await fetch(`${env.SCHEMA_REGISTRY_URL}/subjects/${mark}/versions/latest`);
  const version = (await response.json()) as { schema: string };
  return (JSON.parse(version.schema) as { title?: string }).title;
}
