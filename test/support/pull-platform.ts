import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Part } from '../../infra/local/part.ts';
import { importSampleCodes } from '../../infra/local/processes/import-codes.ts';
import {
  startPlatform, type ProcessPlan,
} from '../../infra/local/processes/start-platform.ts';
import type { StackEnv } from '../../infra/local/stack-env.ts';
import { makeTopics } from '../../infra/kafka/make-topics.ts';
import { isDecoded, type LogRecord } from '../../services/kernel/record-log.ts';
import { STATE_WORKERS } from '../../services/workers/workers.ts';
import { openOperator } from '../../services/cli/assemble.ts';
import { authorizationCommand } from '../../services/cli/authorization/command.ts';
import { partyCommand } from '../../services/cli/party/command.ts';
import type { OperatorPorts, Report } from '../../services/cli/ports.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { aRequest } from './authorization-facts.ts';
import { CHOSEN_CLIENT, openLog } from './kafka-logs.ts';
import { stackEnv } from './stack.ts';

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
  const vaultKey = randomBytes(32).toString('base64');
  const settings = {
    RASTRO_VAULT_KEY: vaultKey, RASTRO_PERSONAL_KEY: `k1:${vaultKey}`, ...env,
  };
  const plan = (name: string, ...runs: readonly string[]): ProcessPlan => (
    { name, kind: 'workers', runs, env: settings }
  );
  const running = await startPlatform({
    dir, parts: { own: ['kafka', 'redis'], others: stackEnv(), ports: 'free' },
    // Their tables are those of the test run, and none of these workers writes any.
    prepare: topicsOf,
    processes: () => [
      plan('projectors', ...STATE_WORKERS, 'parties.authorizations'),
      plan('puller-0', 'parties.feeds'), plan('puller-1', 'parties.feeds'),
    ],
  });
  const { onClose } = running;
  const { KAFKA_BROKERS, REDIS_URL, SCHEMA_REGISTRY_URL: registryUrl } = running.env;
  const operator = await openOperator({
    brokers: KAFKA_BROKERS.split(','), registryUrl, kafkaClient: CHOSEN_CLIENT,
    secretPepper: 'x', vaultKey, partySecret: 't0', personalKey: `k1:${vaultKey}`,
  }, silentSignals);
  onClose(() => operator.close());
  const raw = new Redis(REDIS_URL);
  onClose(() => raw.disconnect());
  return {
    pullers: [running.process('puller-0').part, running.process('puller-1').part], raw,
    ...commandsOf(operator.ports),
    close: async () => {
      await running.close();
      rmSync(dir, { recursive: true, force: true });
    },
    recordsOf: (topic) => recordsOf(KAFKA_BROKERS, topic),
  };
}

async function topicsOf(env: StackEnv): Promise<void> {
  const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL } = env;
  await makeTopics({
    client: CHOSEN_CLIENT, brokers: KAFKA_BROKERS.split(','), registryUrl: SCHEMA_REGISTRY_URL,
    replicas: 1, deadlineMs: Date.now() + TOPICS_MS_MAX,
  }, silentSignals);
  await importSampleCodes(env);
}

function commandsOf(ports: OperatorPorts): Pick<PullPlatform, 'addCarrier' | 'authorize'> {
  const good = ({ exitCode, value, lines }: Report): unknown => {
    if (exitCode !== 0) throw new Error(JSON.stringify(lines));
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
  const log = openLog(CHOSEN_CLIENT, brokers, []);
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
