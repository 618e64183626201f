import { randomUUID } from 'node:crypto';
import type { KafkaClient, TopicSpec } from '../../services/adapters/kafka/config.ts';
import { createLogWatch } from '../../services/adapters/kafka/log-watch.ts';
import { openOutbound } from '../../services/adapters/outbound/outbound.ts';
import { REDIS_DEFAULTS } from '../../services/adapters/redis/config.ts';
import { openRedis } from '../../services/adapters/redis/open-redis.ts';
import { createStates } from '../../services/state/create-states.ts';
import { createVault } from '../../services/adapters/secrets/vault.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import { POISON_FLOOD_LIMITS } from '../../services/workers/common/poison-flood.ts';
import {
  COMMAND_SENDER_LIMITS, type CommandSenderConfig,
} from '../../services/workers/parties/commands/config.ts';
import { createPartyTokens } from '../../services/workers/parties/common/party-tokens.ts';
import { createCommandSender } from '../../services/workers/parties/commands/pipeline.ts';
import { openLog } from './kafka-logs.ts';
import { readRecord } from './read-record.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { memoryItemDefects } from './memory-defects.ts';

/** The key that seals the secrets of the parties of these tests. */
export const TEST_VAULT_KEY = Buffer.alloc(32, 7).toString('base64');

/** All settings of one command sender; they go to a process of its own as JSON. */
export interface CommandSenderSpec {
  readonly client: KafkaClient;
  readonly brokers: string;
  /** Address with the number of the database. */
  readonly redisUrl: string;
  readonly topics: { readonly commands: TopicSpec; readonly results: TopicSpec };
  readonly group: string;
  readonly config: Partial<CommandSenderConfig>;
}

/** Short waits and lives, so that what takes minutes in production takes seconds here. */
export const FAST: Partial<CommandSenderConfig> = {
  backoffFirstMs: 100, backoffMsMax: 200, throttledMs: 400, holdMs: 50,
  requestMsMax: 700, leaseMs: 3_000, renewMs: 500, keptRecordsMin: 1,
};

/** So that a sender that follows goes on from a checkpoint. */
const KEEP_MS = 500;

/** A command sender that runs in this process. */
export interface RunningCommandSender {
  stop(): Promise<void>;
}

/** Runs the command sender as its deployable does, on the real log and state store. */
export async function runCommandSender(spec: CommandSenderSpec): Promise<RunningCommandSender> {
  const limits = { ...COMMAND_SENDER_LIMITS, ...spec.config };
  const { commands, results } = spec.topics;
  const kafka = openLog(spec.client, spec.brokers, [results]);
  const redis = { ...REDIS_DEFAULTS, url: spec.redisUrl };
  const states = createStates(
    redis, await openRedis(redis, { signals: silentSignals, clock: systemClock }),
  );
  const outbound = openOutbound({
    allowsInsecure: false, allowsPrivate: false, timeoutMs: limits.requestMsMax,
    answerBytesMax: 65_536, socketsMaxPerHost: limits.inFlightMaxPerProvider,
  });
  const vault = createVault(TEST_VAULT_KEY);
  const onCrash = (error: unknown): void => { throw error; };
  const sender = createCommandSender({
    ...POISON_FLOOD_LIMITS, ...limits, topics: { commands: commands.name, results: results.name },
  }, {
    readRecord,
    log: kafka.recordLog, folds: states.folds, watch: createLogWatch(kafka.admin),
    rangeReader: kafka.rangeReader, topicIds: (names) => kafka.admin.topicIds(names),
    parties: states.parties, commands: states.commands, leases: states.leases,
    outbound: outbound.call,
    tokens: createPartyTokens({
      outbound: outbound.call, vault, clock: systemClock, signals: silentSignals,
    }),
    clock: systemClock, pause: systemPause, random: Math.random, signals: silentSignals,
    ring: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    owner: randomUUID(), onCrash, itemDefects: memoryItemDefects(),
    deadLetters: { write: () => Promise.reject(new Error('no dead letters expected')) },
  });
  const consumer = kafka.consumer(
    { group: spec.group, topics: [commands.name], sessionTimeoutMs: 6_000 }, onCrash,
  );
  await consumer.start(sender);
  const keeping = setInterval(() => { void sender.keepUp().catch(() => undefined); }, KEEP_MS);
  return {
    async stop() {
      clearInterval(keeping);
      sender.halt();
      await consumer.stop();
      await sender.stop();
      outbound.close();
      await kafka.close(Date.now() + 2_000);
      await states.close();
    },
  };
}
