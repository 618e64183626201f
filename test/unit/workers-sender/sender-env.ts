import { openOutbound } from '../../../services/adapters/outbound/outbound.ts';
import type {
  ProviderCommandIssued, ProviderCommandResult,
} from '../../../services/kernel/commands.ts';
import { Unavailable, isUnavailable } from '../../../services/kernel/unavailable.ts';
import type { LogRangeReader } from '../../../services/kernel/log-watch.ts';
import type { LogRecord, RecordLog } from '../../../services/kernel/record-log.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import {
  COMMAND_SENDER_LIMITS, type CommandSenderConfig,
} from '../../../services/workers/parties/commands/config.ts';
import { createPartyTokens } from '../../../services/workers/parties/common/party-tokens.ts';
import {
  createCommandSender, type CommandSender,
} from '../../../services/workers/parties/commands/pipeline.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { aParty } from '../../support/command-facts.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { fakeFoldSource, memoryFolds } from '../../support/fake-log-tail.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';
import { readRecord } from '../../support/read-record.ts';
import { memoryItemDefects } from '../../support/memory-defects.ts';

const COMMANDS = 'provider.commands.v1';
const RESULTS = 'provider.command-results.v1';

/** Both topics in memory, one partition each, and everything that command senders share. */
export interface SenderEnv {
  readonly states: MemoryStates;
  readonly commands: LogRecord[];
  readonly results: ProviderCommandResult[];
  /** Ends of processes at commands. */
  readonly defects: Map<string, number>;
  /** Appends of results fail while this is set. */
  isLogDown: boolean;
  /** Reading the log ends only after this, once it has read. */
  readGate: Promise<void>;
  issue(...commands: ProviderCommandIssued[]): void;
  resultsOf(command: ProviderCommandIssued): ProviderCommandResult[];
  /** Starts a command sender with the partition assigned, and feeds it what is issued. */
  start(config?: Partial<CommandSenderConfig>): Promise<SenderInTest>;
  close(): Promise<void>;
}

/** One command sender process. */
export interface SenderInTest {
  readonly owner: string;
  readonly sender: CommandSender;
  stop(): Promise<void>;
  /** Dies without giving anything back. */
  kill(): void;
}

/** Makes an environment with the party `acme` at `baseUrl`. */
export async function createSenderEnv(baseUrl: string): Promise<SenderEnv> {
  const states = memoryStates();
  const folds = memoryFolds();
  const commands: LogRecord[] = [];
  const results: ProviderCommandResult[] = [];
  const running = new Set<SenderInTest>();
  const feeders = new Set<() => void>();
  await states.parties.apply(aParty({ base_url: baseUrl }));

  const source = fakeFoldSource(() => [
    ...commands, ...results.map((each, at) => aLogRecord(RESULTS, at, each)),
  ]);
  const readRanges: LogRangeReader['readRanges'] = (ranges, onRecords) => (
    source.rangeReader.readRanges(ranges, async (records) => {
      await env.readGate;
      await onRecords(records);
    })
  );
  const vault = {
    seal: (text: string) => `sealed:${text}`,
    open: (sealed: string) => sealed.replace('sealed:', ''),
  };

  const env: SenderEnv = {
    states, commands, results, defects: new Map(), isLogDown: false, readGate: Promise.resolve(),
    issue(...issued) {
      for (const event of issued) {
        commands.push(aLogRecord(COMMANDS, commands.length, event, { key: event.command_key }));
      }
      for (const feed of feeders) feed();
    },
    resultsOf: ({ command_id }) => results.filter((result) => result.command_id === command_id),
    start,
    async close() {
      for (const each of running) await each.stop();
    },
  };

  const log: RecordLog = {
    async append({ topic, value }) {
      if (env.isLogDown) throw new Unavailable('log_unavailable', 'append', 'as the test asked');
      if (topic !== RESULTS) throw new Error(`no appends to ${topic} expected`);
      results.push(JSON.parse(Buffer.from(value).toString('utf8')) as ProviderCommandResult);
    },
  };

  async function start(config: Partial<CommandSenderConfig> = {}): Promise<SenderInTest> {
    const timers = new Set<NodeJS.Timeout>();
    const outbound = openOutbound({
      allowsInsecure: false, allowsPrivate: false, timeoutMs: config.requestMsMax ?? 2_000,
      answerBytesMax: 65_536, socketsMaxPerHost: 64,
    });
    const clock = { nowMs: () => Date.now() };
    let isDead = false;
    const owner = `owner-${running.size}-${Math.random()}`;
    const sender = createCommandSender({
      ...POISON_FLOOD_LIMITS, ...COMMAND_SENDER_LIMITS, backoffFirstMs: 10, backoffMsMax: 40,
      throttledMs: 60, holdMs: 5, requestMsMax: 2_000,
      topics: { commands: COMMANDS, results: RESULTS }, keptRecordsMin: 1,
      ...config,
    }, {
      readRecord,
      ...source, rangeReader: { readRanges }, folds, log, clock, outbound: outbound.call,
      signals: silentSignals,
      states, parties: states.parties, commands: states.commands, leases: states.leases,
      tokens: createPartyTokens({ outbound: outbound.call, vault, clock, signals: silentSignals }),
      pause: (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); }),
      random: () => 1, owner,
      deadLetters: { write: async () => {} },
      ring: (ms: number, callback: () => void) => {
        const timer = setTimeout(() => { if (!isDead) callback(); }, ms);
        timers.add(timer);
        return () => clearTimeout(timer);
      },
      itemDefects: memoryItemDefects(env.defects),
      onCrash: (error: unknown) => { throw error; },
    } as Parameters<typeof createCommandSender>[1]);
    let fed = 0;
    let feeding: Promise<void> = Promise.resolve();
    const feed = (): void => {
      feeding = feeding.then(async () => {
        while (fed < commands.length && !isDead) {
          const batch = commands.slice(fed);
          try {
            await sender.onRecords(batch);
            fed += batch.length;
          } catch (error) {
            if (!isUnavailable(error)) throw error;
            await new Promise((resolve) => { setTimeout(resolve, 2); });
          }
        }
      });
    };
    const each: SenderInTest = {
      owner,
      sender,
      async stop() {
        running.delete(each);
        feeders.delete(feed);
        isDead = true;
        sender.halt();
        await feeding;
        await sender.stop();
        outbound.close();
      },
      kill() {
        running.delete(each);
        feeders.delete(feed);
        isDead = true;
        sender.halt();
        for (const timer of timers) clearTimeout(timer);
        outbound.close();
      },
    };
    running.add(each);
    feeders.add(feed);
    await sender.onAssigned([{ topic: COMMANDS, topicId: `${COMMANDS}-id`, partition: 0 }]);
    feed();
    return each;
  }

  return env;
}
