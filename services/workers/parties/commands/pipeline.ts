import type { Pause } from '../../../kernel/clock.ts';
import { REPLAYED_FROM } from '../../../kernel/record-id.ts';
import { Unavailable } from '../../../kernel/unavailable.ts';
import type { FoldPorts } from '../../../kernel/fold.ts';
import type { Leases } from '../../../kernel/leases.ts';
import { isDecoded, type LogHandler, type RecordLog } from '../../../kernel/record-log.ts';
import { createBatchHandler, type BatchHandlerPorts } from '../../common/batch-handler.ts';
import { poisoned, type ConsumedRecord, type Outcome } from '../../common/outcomes.ts';
import type { PoisonFloodConfig } from '../../common/poison-flood.ts';
import { createCommandReader } from '../../common/read-command-record.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';
import type { CommandSenderConfig } from './config.ts';
import { createSendLoop, type SendLoopPorts } from './send-loop.ts';
import type { CommandTopics } from './open-commands.ts';
import { createReadPending } from './pending-commands.ts';
import { createRecordResult } from './record-result.ts';
import { createSchedule } from './schedule.ts';
import { createPartitionLeases } from './partition-leases.ts';
import { createTakeover } from './takeover.ts';

type Own = 'schedule' | 'partitionLeases' | 'recordResult' | 'onEnded';

/** What the command sender works with; `owner` names this process among all command senders. */
export interface CommandSenderPorts
  extends Omit<SendLoopPorts, Own>, Omit<BatchHandlerPorts, 'applyRecords'>,
  Omit<FoldPorts, 'signals'> {
  readonly log: RecordLog;
  readonly leases: Leases;
  readonly pause: Pause;
  readonly owner: string;
  readonly readRecord: ReadRecord;
}

/** The handler of `provider.commands.v1`, and its end. */
export interface CommandSender extends LogHandler {
  /** Begins nothing more; call it before the consumer is stopped. */
  readonly halt: () => void;
  readonly stop: () => Promise<void>;
  /** Keeps what is pending in the partitions of this process; to be called at intervals. */
  readonly keepUp: () => Promise<void>;
}

/** Ended commands that are remembered, for records of them that still arrive. */
const ENDED_MAX = 10_000;

/**
 * Brings commands to providers (interface, 5). What is pending is commands minus results, read from
 * the log when partitions are assigned; later records are added to it. Offsets are committed at
 * once, because nothing depends on them: a process that takes over reads what is pending.
 */
export function createCommandSender(
  config: CommandSenderConfig & PoisonFloodConfig & { readonly topics: CommandTopics },
  ports: CommandSenderPorts,
): CommandSender {
  const schedule = createSchedule({
    ...config, waitMsMax: Math.max(config.backoffMsMax, config.throttledMs, config.holdMs),
  });
  const readCommand = createCommandReader(ports.readRecord);
  const ended = new Set<string>();
  let isHalted = false;

  const partitionLeases = createPartitionLeases(config, {
    ...ports, onLost: (partition) => takeover.retake(partition),
  });
  const recordResult = createRecordResult(
    { topic: config.topics.results, appendMsMax: config.appendMsMax, holdMs: config.holdMs },
    { ...ports, isStopping: () => isHalted },
  );
  const sendLoop = createSendLoop(config, {
    ...ports, schedule, partitionLeases, recordResult, onEnded: recordEnd,
  });
  const pending = createReadPending(config, { ...ports, readCommand });
  const takeover = createTakeover(config, {
    ...ports, schedule, partitionLeases, sendLoop, readPending: pending.read,
    isEnded: (commandId) => ended.has(commandId),
  });

  function recordEnd(commandId: string): void {
    ended.add(commandId);
    if (ended.size > ENDED_MAX) ended.delete(ended.values().next().value ?? '');
    if (schedule.overfull().length > 0) takeover.reload();
  }

  async function applyRecords(records: readonly ConsumedRecord[]): Promise<readonly Outcome[]> {
    const early = records.find(({ partition }) => takeover.lastOffset(partition) === undefined);
    if (early !== undefined) {
      throw new Unavailable('state_busy', 'consume', `partition ${early.partition} is being taken over`);
    }
    const outcomes = records.map(take);
    sendLoop.pump();
    await Promise.resolve();
    return outcomes;
  }

  function take(record: ConsumedRecord): Outcome {
    const reading = readCommand(record);
    if (!reading.ok) return deadLetterOutcome(record, reading.poison);
    const event = reading.value;
    if (event.type !== 'ProviderCommandIssued' || !isDecoded(record)) {
      return poisoned(record, 'record_invalid', 'not a provider command');
    }
    const { topicId, partition, offset, value } = record;
    if (offset <= (takeover.lastOffset(partition) ?? -1n) || ended.has(event.command_id)) {
      return { kind: 'ignored', record };
    }
    takeover.setLastOffset(partition, offset);
    sendLoop.add({
      command: {
        event, recordId: { topicId, partition, offset },
        isReplayed: record.headers[REPLAYED_FROM] !== undefined,
      },
      bytes: value.length, attempts: 0, notBeforeMs: ports.clock.nowMs(),
    });
    return { kind: 'applied', record };
  }

  function halt(): void {
    isHalted = true;
    takeover.halt();
    sendLoop.stop();
  }

  return {
    ...createBatchHandler({ ...config, worker: 'parties.commands' }, { ...ports, applyRecords }),
    onAssigned: async (partitions) => takeover.want(partitions.map(({ partition }) => partition)),
    onRevoked: (partitions) => takeover.leave(partitions.map(({ partition }) => partition)),
    halt,
    keepUp: () => pending.keepUp(
      takeover.wanted().filter((each) => takeover.lastOffset(each) !== undefined),
    ),
    async stop() {
      halt();
      await takeover.leave(takeover.wanted());
      await takeover.ended();
      partitionLeases.stop();
    },
  };
}
