import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { KafkaLog } from '../../../services/adapters/kafka/open.ts';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import { isFinal } from '../../../services/domain/monitoring/result.ts';
import type {
  ProviderCommandIssued, ProviderCommandResult,
} from '../../../services/kernel/commands.ts';
import { isDecoded } from '../../../services/kernel/record-log.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { createProjection } from '../../../services/workers/projector/projections.ts';
import type { CommandSenderConfig } from '../../../services/workers/parties/commands/config.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aParty } from '../../support/command-facts.ts';
import {
  FAST, runCommandSender, TEST_VAULT_KEY, type CommandSenderSpec,
} from '../../support/command-sender-run.ts';
import { openLog, testTopic, wallClock } from '../../support/kafka-logs.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { readRecord } from '../../support/read-record.ts';
import { stackEnv } from '../../support/stack.ts';
import { tinyProvider, type AnswerScript, type TinyProvider } from '../../support/tiny-provider.ts';

const CHILD = resolve(import.meta.dirname, '..', '..', 'support', 'command-sender-main.ts');
const PARTITIONS = 4;

/** Topics and a state store of their own, with providers and command senders on them. */
export interface CommandsEnv {
  readonly states: OpenedRedis;
  readonly log: KafkaLog;
  readonly topics: CommandSenderSpec['topics'];
  /** A provider of this name that answers as scripted, known as a party. */
  provider(name: string, script?: AnswerScript): Promise<TinyProvider>;
  issue(...commands: readonly ProviderCommandIssued[]): Promise<void>;
  /** Every result in the log, those of one command in their order. */
  results(): Promise<readonly ProviderCommandResult[]>;
  /** Waits until so many commands have ended, and answers all results. */
  ended(count: number, msMax?: number): Promise<readonly ProviderCommandResult[]>;
  /** A command sender in this process. */
  start(config?: Partial<CommandSenderConfig>): Promise<{ stop(): Promise<void> }>;
  /** A command sender in a process of its own, which a test may stall or kill. */
  spawn(config?: Partial<CommandSenderConfig>): ChildProcess;
  /** The projection of commands on these topics. */
  startProjector(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a world on a state store and topics of its own. */
export async function openCommandsEnv(): Promise<CommandsEnv> {
  const { KAFKA_BROKERS: brokers } = stackEnv();
  const endings: (() => unknown)[] = [];
  const topics = { commands: testTopic(PARTITIONS), results: testTopic(PARTITIONS) };
  const log = openLog('platformatic', brokers, [topics.commands, topics.results]);
  endings.push(() => log.close(wallClock.nowMs()));
  await log.admin.ensureTopics([topics.commands, topics.results], 1);
  const states = await openRedisStates();
  endings.push(() => states.close());
  const vault = createVault(TEST_VAULT_KEY);
  const spec = (config: Partial<CommandSenderConfig>): CommandSenderSpec => ({
    client: 'platformatic', brokers, redisUrl: states.address, topics, group,
    config: { ...FAST, ...config },
  });
  const group = `test_${randomUUID()}`;

  async function results(): Promise<readonly ProviderCommandResult[]> {
    const found: ProviderCommandResult[] = [];
    await log.reader.readToEnd([topics.results.name], async (records) => {
      for (const record of records) {
        if (isDecoded(record)) {
          found.push(JSON.parse(String(record.value)) as ProviderCommandResult);
        }
      }
    });
    return found;
  }

  return {
    states, log, topics, results,
    async provider(name, script) {
      const server = await tinyProvider(script);
      endings.push(() => server.close());
      await states.parties.apply(aParty({
        party_id: name, provider: name, base_url: server.url,
        authentication: { kind: 'static', sealed_token: vault.seal('t0') },
      }));
      return server;
    },
    async issue(...commands) {
      for (const event of commands) {
        await log.recordLog.append({
          topic: topics.commands.name, key: event.command_key, headers: {},
          value: Buffer.from(JSON.stringify(event)),
        }, wallClock.nowMs() + 10_000);
      }
    },
    async ended(count, msMax = 25_000) {
      const deadlineMs = Date.now() + msMax;
      for (;;) {
        const all = await results();
        const ids = all.filter(({ outcome }) => isFinal(outcome)).map((each) => each.command_id);
        if (new Set(ids).size >= count) return all;
        if (Date.now() > deadlineMs) throw new Error(`${new Set(ids).size} of ${count} ended`);
      }
    },
    async start(config = {}) {
      const running = await runCommandSender(spec(config));
      let stopping: Promise<void> | undefined;
      const stop = (): Promise<void> => stopping ??= running.stop();
      endings.push(stop);
      return { stop };
    },
    spawn(config = {}) {
      const child = spawn(process.execPath, [CHILD, JSON.stringify(spec(config))], {
        stdio: ['pipe', 'inherit', 'inherit'],
      });
      const gone = new Promise((done) => { child.once('exit', done); });
      endings.push(() => {
        child.kill('SIGKILL');
        return gone;
      });
      return child;
    },
    async startProjector() {
      const projector = createProjection('commands', POISON_FLOOD_LIMITS, {
        readRecord,
        clock: wallClock, signals: silentSignals, commands: states.commands,
        deadLetters: { write: () => Promise.reject(new Error('no dead letters expected')) },
      });
      const consumer = log.consumer({
        group: `test_${randomUUID()}`, topics: [topics.commands.name, topics.results.name],
      }, (error) => { throw error; });
      endings.push(() => consumer.stop());
      await consumer.start(projector);
    },
    async close() {
      for (const end of endings.splice(0).toReversed()) await end();
    },
  };
}

/** Outcomes of one command, in order. */
export function outcomesOf(
  results: readonly ProviderCommandResult[], { command_id }: ProviderCommandIssued,
): readonly string[] {
  return results.filter((each) => each.command_id === command_id).map(({ outcome }) => outcome);
}
