import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import type { Part } from '../../infra/local/part.ts';
import { freePorts } from '../../infra/local/ports.ts';
import { accessOf } from '../../infra/local/service-users.ts';
import { startStack } from '../../infra/local/stack.ts';
import { makeTopics } from '../../infra/kafka/make-topics.ts';
import { isDecoded, type LogRecord } from '../../services/kernel/record-log.ts';
import { STATE_WORKERS } from '../../services/workers/workers.ts';
import { openOperator } from '../../services/cli/assemble.ts';
import { authorizationCommand } from '../../services/cli/authorization/command.ts';
import { partyCommand } from '../../services/cli/party/command.ts';
import type { OperatorPorts, Report } from '../../services/cli/ports.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { aRequest } from './authorization-facts.ts';
import { openLog } from './kafka-logs.ts';
import { startService } from './platform-process.ts';
import { stackEnv } from './stack.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const TOPICS_MS_MAX = 60_000;

/** The workers that have to do with feeds as processes, on a log and a state store of their own. */
export interface PullPlatform {
  /** Two pullers, side by side. */
  readonly pullers: readonly [Part, Part];
  readonly raw: Redis;
  /** Adds a carrier with a feed and answers the id of its party. */
  addCarrier(url: string): Promise<string>;
  /** Has a carrier asked to authorize a new shipment. */
  authorize(carrier: string): Promise<void>;
  recordsOf(topic: string): Promise<readonly LogRecord[]>;
  close(): Promise<void>;
}

/** Starts it; `env` goes to every process. The registry is that of the test run. */
export async function startPullPlatform(env: Record<string, string>): Promise<PullPlatform> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-pull-'));
  const endings: (() => Promise<unknown> | void)[] = [
    () => rmSync(dir, { recursive: true, force: true }),
  ];
  const close = async (): Promise<void> => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  try {
    return await open(dir, env, (end) => { endings.push(end); }, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  dir: string, env: Record<string, string>,
  onClose: (end: () => Promise<unknown> | void) => void, close: PullPlatform['close'],
): Promise<PullPlatform> {
  const { SCHEMA_REGISTRY_URL: registryUrl, CLICKHOUSE_URL } = stackEnv();
  const stack = await startStack({
    dataDir: join(dir, 'stack'),
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    ports: 'free', parts: ['kafka', 'redis'], env: {}, log: () => undefined,
  });
  onClose(() => stack.stop());
  const { KAFKA_BROKERS, REDIS_URL } = stack.env;
  const brokers = KAFKA_BROKERS.split(',');
  await makeTopics(
    { brokers, registryUrl, replicas: 1, deadlineMs: Date.now() + TOPICS_MS_MAX }, silentSignals,
  );
  const vaultKey = randomBytes(32).toString('base64');
  const [keepersPort = 0, ...pullerPorts] = await freePorts(3);
  const start = async (name: string, args: readonly string[], adminPort: number): Promise<Part> => {
    const part = await startService(dir, {
      name, args, adminPort, entry: 'services/workers/main.ts',
      env: {
        ...accessOf(stack.env, 'workers'), CLICKHOUSE_URL, SCHEMA_REGISTRY_URL: registryUrl,
        RASTRO_WORKERS_ADMIN_PORT: String(adminPort), RASTRO_VAULT_KEY: vaultKey,
        RASTRO_PERSONAL_KEY: `k1:${vaultKey}`, ...env,
      },
    }, () => undefined);
    onClose(() => part.stop());
    return part;
  };
  const [, ...pullers] = await Promise.all([
    start('keepers', [...STATE_WORKERS, 'parties.authorizations'], keepersPort),
    ...pullerPorts.map((port, at) => start(`puller-${at}`, ['parties.feeds'], port)),
  ]);
  const operator = await openOperator({
    brokers, registryUrl, kafkaClient: 'platformatic', secretPepper: 'x', vaultKey,
    partySecret: 't0', personalKey: `k1:${vaultKey}`,
  }, silentSignals);
  onClose(() => operator.close());
  const raw = new Redis(REDIS_URL);
  onClose(() => raw.disconnect());
  return {
    pullers: pullers as [Part, Part], raw, close, ...commandsOf(operator.ports),
    recordsOf: (topic) => recordsOf(KAFKA_BROKERS, topic),
  };
}

function commandsOf(ports: OperatorPorts): Pick<PullPlatform, 'addCarrier' | 'authorize'> {
  const good = ({ exitCode, value, lines }: Report): unknown => {
    if (exitCode !== 0) throw new Error(lines.join(' '));
    return value;
  };
  return {
    async addCarrier(url) {
      const value = good(await partyCommand(ports, [
        'add', '--kind', 'carrier', '--name', 'Carrier', '--url', url, '--auth', 'static', '--feed',
      ]));
      return (value as { party_id: string }).party_id;
    },
    async authorize(carrier) {
      const body = JSON.stringify(aRequest());
      good(await authorizationCommand(ports, ['send', carrier, '--body', body]));
    },
  };
}

async function recordsOf(brokers: string, topic: string): Promise<readonly LogRecord[]> {
  const log = openLog('platformatic', brokers, []);
  const found: LogRecord[] = [];
  try {
    await log.reader.readToEnd([topic], async (records) => {
      found.push(...records.filter(isDecoded));
    });
  } finally {
    await log.close(Date.now());
  }
  return found;
}
