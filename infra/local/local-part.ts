import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Cache } from './cache.ts';
import { endLeftover } from './child.ts';
import { analystsDirOf } from './clickhouse-config.ts';
import { startClickHouse } from './clickhouse.ts';
import { credentialsFileOf, credentialsOf, passwordsOf } from './credentials.ts';
import { requireFree } from './external.ts';
import { clusterIdOf, kafkaDistribution, startKafkaNode } from './kafka.ts';
import type { Log, Part, PartName } from './part.ts';
import { freePorts, isFree } from './ports.ts';
import { redisProgram, startRedis } from './redis.ts';
import { registryDistribution, registryUrl, startRegistry } from './registry.ts';
import { KAFKA_USERS, REDIS_USERS, redisUsersFile } from './service-users.ts';
import type { StackEnv } from './stack-env.ts';

/** One port of 127.0.0.1 for each part. */
export type StackPorts = { readonly [name in PartName]: number }

/** What the local parts share. */
export type LocalPartOptions = {
  readonly dataDir: string;
  readonly cache: Cache;
  readonly ports: StackPorts | 'free';
  readonly clickhouseDatabases: readonly string[];
  readonly redisMemoryMax: string | undefined;
  readonly workNiceness: number;
  readonly log: Log;
};

/** A part that is ready, its variables, and work that may be done once the whole stack is. */
export type Started = {
  readonly part: Part;
  readonly env: Partial<StackEnv>;
  readonly later?: (signal: AbortSignal) => Promise<void>;
};

type Bring = (options: LocalPartOptions, dir: string) => Promise<StartOn>

/** Starts a part whose program is there, on a port. */
type StartOn = (port: number, nextPort: number) => Promise<Started>

const PORT_ATTEMPTS_MAX = 3;

const BRING: { readonly [name in PartName]: Bring } = {
  kafka: bringKafka,
  redis: bringRedis,
  clickhouse: bringClickHouse,
  registry: bringRegistry,
};

/**
 * Brings the program of one part, ends what a killed launcher left in its directory, and starts it.
 * On free ports a start that lost its port to another process is tried again on another one.
 */
export async function startLocalPart(name: PartName, options: LocalPartOptions): Promise<Started> {
  const dir = resolve(options.dataDir, name);
  const startOn = await BRING[name](options, dir);
  await endLeftover(dir);
  if (options.ports !== 'free') {
    const port = options.ports[name];
    await requireFree(name, port);
    if (name === 'kafka') await requireFree(name, port + 1);
    return startOn(port, port + 1);
  }
  for (let attempt = 1; ; attempt += 1) {
    const [port = 0, nextPort = 0] = await freePorts(2);
    try {
      return await startOn(port, nextPort);
    } catch (error) {
      const portWasLost = !(await isFree(port)) || !(await isFree(nextPort));
      if (!portWasLost || attempt === PORT_ATTEMPTS_MAX) throw error;
    }
  }
}

async function bringKafka({ cache, log }: LocalPartOptions, dir: string): Promise<StartOn> {
  const distribution = await kafkaDistribution(cache);
  return async (port, controllerPort) => {
    const passwords = passwordsOf(join(dir, 'users.json'), KAFKA_USERS);
    // No part of the data, so that any port will do at each start.
    const [loginPort = 0] = await freePorts(1);
    const node = { nodeId: 1, port, controllerPort, logins: { port: loginPort, passwords } };
    const clusterId = clusterIdOf(dir);
    const options = { node, cluster: [node], dir, clusterId, log };
    const part = await startKafkaNode(distribution, options);
    const env = {
      KAFKA_BROKERS: `127.0.0.1:${port}`,
      KAFKA_SASL_BROKERS: `127.0.0.1:${loginPort}`,
      KAFKA_GATEWAYS_PASSWORD: passwords.gateways,
      KAFKA_WORKERS_PASSWORD: passwords.workers,
      KAFKA_OPERATOR_PASSWORD: passwords.operator,
    };
    return { part, env, ...later(distribution.record) };
  };
}

async function bringRedis(
  { cache, redisMemoryMax: memoryMax, log }: LocalPartOptions, dir: string,
): Promise<StartOn> {
  const program = await redisProgram(cache);
  return async (port) => {
    const passwords = passwordsOf(join(dir, 'users.json'), REDIS_USERS);
    const users = redisUsersFile(passwords);
    const part = await startRedis({ program, port, dir, memoryMax, users, log });
    const urlOf = (name: keyof typeof passwords): string =>
      `redis://${name}:${passwords[name]}@127.0.0.1:${port}`;
    const env = {
      REDIS_URL: `redis://127.0.0.1:${port}`,
      REDIS_GATEWAYS_URL: urlOf('gateways'),
      REDIS_WORKERS_URL: urlOf('workers'),
      REDIS_OPERATOR_URL: urlOf('operator'),
    };
    return { part, env };
  };
}

async function bringClickHouse(options: LocalPartOptions, dir: string): Promise<StartOn> {
  const { log, clickhouseDatabases: databases, workNiceness: niceness } = options;
  const credentials = credentialsOf(credentialsFileOf(dir));
  // Where they were until they had a place that the engine cannot read.
  rmSync(join(dir, 'credentials.json'), { force: true });
  return async (port) => {
    const part = await startClickHouse({
      port, dir, credentials, databases, niceness, log,
    });
    const env = {
      CLICKHOUSE_URL: `http://127.0.0.1:${port}`,
      CLICKHOUSE_USER: 'admin',
      CLICKHOUSE_PASSWORD: credentials.admin,
      RASTRO_ANALYSTS_DIR: analystsDirOf(dir),
      CLICKHOUSE_INGEST_USER: 'ingest',
      CLICKHOUSE_INGEST_PASSWORD: credentials.ingest,
      ANALYST_USER: 'analyst',
      ANALYST_PASSWORD: credentials.analyst,
      CLICKHOUSE_HISTORY_USER: 'history',
      CLICKHOUSE_HISTORY_PASSWORD: credentials.history,
      CLICKHOUSE_PICTURES_USER: 'pictures',
      CLICKHOUSE_PICTURES_PASSWORD: credentials.pictures,
    };
    return { part, env };
  };
}

async function bringRegistry({ cache, log }: LocalPartOptions, dir: string): Promise<StartOn> {
  const distribution = await registryDistribution(cache);
  return async (port) => {
    const part = await startRegistry(distribution, { port, dir, log });
    const env = { SCHEMA_REGISTRY_URL: registryUrl(port) };
    return { part, env, ...later(distribution.record) };
  };
}

function later(work: Started['later']): Pick<Started, 'later'> {
  return work === undefined ? {} : { later: work };
}
