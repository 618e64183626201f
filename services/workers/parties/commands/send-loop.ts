import { isCancelledByOperator, isFinal } from '../../../domain/monitoring/result.ts';
import type {
  CommandStates, PlacedCommand, ProviderCommandResult,
} from '../../../kernel/commands.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { CommandSenderConfig } from './config.ts';
import type { RecordResult } from './record-result.ts';
import type { Cancelled, Pending, Schedule } from './schedule.ts';
import { sendOnce, type Attempted, type SendPorts } from './send-command.ts';
import { createInFlight } from '../common/in-flight.ts';
import type { ItemDefects } from '../common/item-defects.ts';
import type { PartitionLeases } from './partition-leases.ts';

/** What the send loop needs; `ring` calls back once after so many milliseconds. */
export interface SendLoopPorts extends SendPorts {
  readonly schedule: Schedule;
  readonly partitionLeases: PartitionLeases;
  readonly commands: CommandStates;
  readonly recordResult: RecordResult;
  readonly itemDefects: ItemDefects;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly ring: (ms: number, callback: () => void) => () => void;
  readonly onCrash: (error: unknown) => void;
  /** Called after each command that ended. */
  readonly onEnded: (commandId: string) => void;
}

/** Sends what is due, and continues when the next command is due. */
export interface SendLoop {
  /** Takes a command, and ends the starts that it cancels before it may go out itself. */
  readonly add: (pending: Pending) => void;
  readonly pump: () => void;
  /** Forgets what waits of these partitions; resolves when nothing of them is in flight either. */
  readonly clear: (partitions: ReadonlySet<number>) => Promise<void>;
  readonly stop: () => void;
}

type Result = Omit<
  ProviderCommandResult, 'type' | 'command_id' | 'provider' | 'command_key' | 'at_ms'
>;

/** Outcomes and reasons that an operator must inspect. */
const ALARMS: ReadonlySet<string> = new Set(['refused', 'ended', 'token_refused', 'redirect']);

/** Makes the loop around one schedule. */
export function createSendLoop(config: CommandSenderConfig, ports: SendLoopPorts): SendLoop {
  const { schedule, partitionLeases, clock, signals } = ports;
  const inFlight = createInFlight<number>(ports.onCrash);
  const cancelling = new Map<string, Promise<unknown>>();
  let silence: () => void = () => undefined;
  let isStopped = false;

  function pump(): void {
    silence();
    if (isStopped) return;
    for (const pending of schedule.take(clock.nowMs())) {
      const { recordId, event } = pending.command;
      const attempt = ports.itemDefects.guard(event.command_id, () => run(pending));
      inFlight.add(recordId.partition, attempt.then(pump));
    }
    reportQueues(ports);
    const nextMs = schedule.nextMs();
    if (nextMs !== undefined) silence = ports.ring(Math.max(1, nextMs - clock.nowMs()), pump);
  }

  function add(pending: Pending): void {
    for (const cancelled of schedule.add(pending)) cancel(cancelled);
  }

  /** The stop waits until the log has the end of the start: it must not be sent afterwards. */
  function cancel({ pending, by }: Cancelled): void {
    const { recordId, event } = pending.command;
    const commandQueue = queueOf(pending);
    const fence = partitionLeases.fenceOf(recordId.partition) ?? 0;
    const recorded = Promise.all([
      cancelling.get(commandQueue),
      ports.recordResult(resultOf(pending.command, {
        fence, attempt: pending.attempts, outcome: 'cancelled', reason: 'stopped', cancelled_by: by,
      }, clock.nowMs())),
    ]).then(([, isRecorded]) => {
      if (cancelling.get(commandQueue) === recorded) cancelling.delete(commandQueue);
      if (isRecorded) ports.onEnded(event.command_id);
    });
    cancelling.set(commandQueue, recorded);
    inFlight.add(recordId.partition, recorded);
  }

  /** One attempt of a command: sent, or put off because something that it needs is missing. */
  async function run(pending: Pending): Promise<void> {
    await cancelling.get(queueOf(pending));
    if (isStopped) return;
    const { command } = pending;
    const fence = partitionLeases.fenceOf(command.recordId.partition);
    if (fence === undefined) return hold(pending, 'no_right');
    const isInTime = (): boolean => clock.nowMs() < deadlineOf(pending);
    let attempted: Attempted;
    const { attempts: attempt } = pending;
    try {
      if (await ports.itemDefects.isSetAside(command.event.command_id)) {
        return await end(pending, { fence, attempt, outcome: 'ended', reason: 'defect' });
      }
      if (await isCancelled(ports.commands, command)) return leave(pending);
      // Before the provider can know of it: it may register the device at once.
      const [first] = await ports.commands.applyCommands([command]);
      // Its first record was sent, or waits for its own turn to be sent.
      const isOver = first === undefined && !await isReplayedBeforeEnd(ports.commands, command);
      if (isOver) return schedule.finish(pending);
      if (!isInTime()) {
        return await end(pending, { fence, attempt, outcome: 'expired', reason: 'expired' });
      }
      attempted = await sendOnce(config, ports, command, pending.attempts + 1,
        () => isInTime() && partitionLeases.fenceOf(command.recordId.partition) === fence);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return hold(pending, error.code);
    }
    if (attempted.kind === 'held') return hold(pending, attempted.code);
    await conclude(pending, fence, attempted);
  }

  async function conclude(
    pending: Pending, fence: number, { verdict, status }: Attempted & { kind: 'tried' },
  ): Promise<void> {
    pending.attempts += 1;
    const tried = {
      fence, attempt: pending.attempts, ...(status === undefined ? {} : { status }),
    };
    const stop = schedule.stopBehind(pending);
    const isStart = pending.command.event.body.command === 'start_tracking';
    if (verdict.step === 'end') {
      await end(pending, { ...tried, outcome: verdict.outcome, reason: 'answered' });
    } else if (isStart && stop !== undefined) {
      await end(pending, { ...tried, outcome: 'cancelled', reason: 'stopped', cancelled_by: stop });
    } else {
      const nowMs = clock.nowMs();
      const nextMs = Math.min(nowMs + verdict.waitMs, Math.max(nowMs, deadlineOf(pending)));
      const result = resultOf(pending.command, {
        ...tried, outcome: 'retry', reason: verdict.reason, next_attempt_at_ms: nextMs,
      }, nowMs);
      report(result);
      if (isRecorded(pending.attempts)) await ports.recordResult(result);
      schedule.finish(pending, nextMs);
    }
  }

  async function end(pending: Pending, result: Result): Promise<void> {
    const whole = resultOf(pending.command, result, clock.nowMs());
    if (!await ports.recordResult(whole)) return;
    report(whole);
    const seconds = Math.max(0, whole.at_ms - pending.command.event.at_ms) / 1_000;
    signals.commandEnded({ provider: whole.provider, seconds });
    schedule.finish(pending);
    ports.onEnded(whole.command_id);
  }

  function leave(pending: Pending): void {
    schedule.finish(pending);
    ports.onEnded(pending.command.event.command_id);
  }

  function hold(pending: Pending, code: string): void {
    const { provider } = pending.command.event;
    signals.commandPostponed({ provider, code });
    schedule.finish(pending, clock.nowMs() + config.holdMs);
  }

  /** Most retries of a provider that is away for days say nothing new. */
  function isRecorded(attempts: number): boolean {
    return attempts <= config.recordedAttempts || attempts % config.recordedAttempts === 0;
  }

  function report(result: ProviderCommandResult): void {
    const { command_id, provider, outcome, reason, status, attempt } = result;
    const isAlarm = ALARMS.has(outcome) || ALARMS.has(reason);
    signals.commandAttempted({
      level: isAlarm ? 'error' : 'debug', id: command_id, provider, outcome, reason, status, attempt,
    });
  }

  /** Repeats, because a command in flight may have been scheduled again. */
  async function clear(partitions: ReadonlySet<number>): Promise<void> {
    for (;;) {
      for (const partition of partitions) schedule.drop(partition);
      if (!await inFlight.wait((partition) => partitions.has(partition))) return;
    }
  }

  function stop(): void {
    isStopped = true;
    silence();
  }

  return { add, pump, clear, stop };
}

/** The log has its end already, by the command line (ADR 0085). */
async function isCancelled(commands: CommandStates, { event }: PlacedCommand): Promise<boolean> {
  return isCancelledByOperator((await commands.find(event.command_id))?.result);
}

/** A replayed record is the command itself, unless that has ended: then it is one too many. */
async function isReplayedBeforeEnd(
  commands: CommandStates, { event, isReplayed }: PlacedCommand,
): Promise<boolean> {
  if (isReplayed !== true) return false;
  const result = (await commands.find(event.command_id))?.result;
  return result === undefined || !isFinal(result.outcome);
}

function resultOf(
  { event }: PlacedCommand, result: Result, atMs: number,
): ProviderCommandResult {
  const { command_id, provider, command_key } = event;
  return {
    type: 'ProviderCommandResult', command_id, provider, command_key, ...result, at_ms: atMs,
  };
}

function reportQueues({ schedule, signals }: SendLoopPorts): void {
  for (const { provider, pending, inFlight } of schedule.queues()) {
    signals.commandsQueued({ provider, pending, in_flight: inFlight });
  }
}

function deadlineOf({ command: { event } }: Pending): number {
  return event.expires_at_ms ?? Infinity;
}

function queueOf({ command: { event } }: Pending): string {
  return `${event.provider} ${event.command_key}`;
}
