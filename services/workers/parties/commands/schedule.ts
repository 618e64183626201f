import type { PlacedCommand } from '../../../kernel/commands.ts';
import { createHeap, type Heap } from './heap.ts';

/** Limits of the schedule. */
export interface ScheduleConfig {
  /** Commands that are sent to one provider at once. */
  readonly inFlightMaxPerProvider: number;
  /** Commands of one provider that are held in memory; the log keeps the rest. */
  readonly pendingMaxPerProvider: number;
  readonly pendingBytesMaxPerProvider: number;
  /** Longest wait that is ever asked for, in ms; a longer one was set by a clock that was wrong. */
  readonly waitMsMax: number;
}

/** A command that waits or is in flight. Times are milliseconds since 1970. */
export interface Pending {
  readonly command: PlacedCommand;
  /** Bytes of the command in the log. */
  readonly bytes: number;
  /** Attempts that are over. */
  attempts: number;
  notBeforeMs: number;
}

/** A start that a later stop of the same transport made pointless. */
export interface Cancelled {
  readonly pending: Pending;
  readonly by: string;
}

interface CommandQueue {
  readonly name: string;
  readonly provider: Provider;
  readonly items: Pending[];
  isInFlight: boolean;
  /** Rises with each queueing, so that older entries of the queue are recognised. */
  version: number;
}

interface QueueEntry {
  readonly commandQueue: CommandQueue;
  readonly version: number;
  readonly atMs: number;
}

interface Provider {
  readonly name: string;
  readonly commandQueues: Map<string, CommandQueue>;
  readonly waiting: Heap<QueueEntry>;
  pending: number;
  bytes: number;
  inFlight: number;
  isOverfull: boolean;
}

/**
 * When each command goes out: strictly in order per transport and provider, and a bounded number at
 * a time per provider, so that a provider that hangs delays no other. It knows no clock and sends
 * nothing itself.
 */
export interface Schedule {
  /** Takes a command in log order. A stop takes the starts out that wait before it. */
  add(pending: Pending): readonly Cancelled[];
  /** What goes out now; each stays the first of its queue until it is finished. */
  take(nowMs: number): readonly Pending[];
  /** The id of a stop that waits behind this command, if any. */
  stopBehind(pending: Pending): string | undefined;
  /** Ends a command that was taken; with a time it stays the first of its queue until then. */
  finish(pending: Pending, notBeforeMs?: number): void;
  /** When something may next go out; undefined when nothing waits. */
  nextMs(): number | undefined;
  /** Forgets the commands of a partition that were not taken yet. */
  drop(partition: number): void;
  /** Forgets what waits of a provider that has more than fits, and says whether it had. */
  overfull(): readonly string[];
  /** Lets a provider take commands again after it was overfull. */
  reopen(provider: string): void;
  holds(commandId: string): boolean;
  /** How many commands each provider has pending, and how many of them are in flight. */
  queues(): readonly { provider: string; pending: number; inFlight: number }[];
}

/** Makes an empty schedule. */
export function createSchedule(config: ScheduleConfig): Schedule {
  const providers = new Map<string, Provider>();
  const held = new Set<string>();

  function providerOf(name: string): Provider {
    const provider = providers.get(name) ?? emptyProvider(name);
    providers.set(name, provider);
    return provider;
  }

  /** Enters a queue by the time of its first command; earlier entries of it no longer count. */
  function queueUp(commandQueue: CommandQueue): void {
    commandQueue.version += 1;
    const [first] = commandQueue.items;
    if (first === undefined) {
      if (!commandQueue.isInFlight) commandQueue.provider.commandQueues.delete(commandQueue.name);
      return;
    }
    if (commandQueue.isInFlight) return;
    const { provider, version } = commandQueue;
    provider.waiting.push({ commandQueue, version, atMs: first.notBeforeMs });
  }

  function remove(
    commandQueue: CommandQueue, leaves: (pending: Pending, at: number) => boolean,
  ): Pending[] {
    const gone = commandQueue.items.filter(leaves);
    if (gone.length === 0) return gone;
    const stays = commandQueue.items.filter((pending) => !gone.includes(pending));
    commandQueue.items.splice(0, commandQueue.items.length, ...stays);
    commandQueue.provider.pending -= gone.length;
    for (const { command, bytes } of gone) {
      commandQueue.provider.bytes -= bytes;
      held.delete(command.event.command_id);
    }
    queueUp(commandQueue);
    return gone;
  }

  function cancelStarts(commandQueue: CommandQueue, by: string): readonly Cancelled[] {
    const isWaiting = (at: number): boolean => at > 0 || !commandQueue.isInFlight;
    return remove(commandQueue, ({ command }, at) =>
      isWaiting(at) && command.event.body.command === 'start_tracking',
    ).map((pending) => ({ pending, by }));
  }

  const queueWith = ({ command: { event } }: Pending): CommandQueue =>
    queueOf(providerOf(event.provider), event.command_key);

  return {
    add(pending) {
      const { event } = pending.command;
      if (held.has(event.command_id)) return [];
      const commandQueue = queueWith(pending);
      const { provider } = commandQueue;
      const isStop = event.body.command === 'stop_tracking';
      const cancelled = isStop ? cancelStarts(commandQueue, event.command_id) : [];
      provider.isOverfull ||= isFilled(provider, config, 1);
      if (!provider.isOverfull) {
        const current = queueOf(provider, event.command_key);
        current.items.push(pending);
        provider.pending += 1;
        provider.bytes += pending.bytes;
        held.add(event.command_id);
        if (current.items.length === 1) queueUp(current);
      }
      return cancelled;
    },

    take(nowMs) {
      const taken: Pending[] = [];
      for (const provider of providers.values()) {
        while (provider.inFlight < config.inFlightMaxPerProvider) {
          const next = nextEntry(provider);
          const first = next?.commandQueue.items[0];
          if (next === undefined || first === undefined || next.atMs > nowMs) break;
          provider.waiting.pop();
          next.commandQueue.isInFlight = true;
          provider.inFlight += 1;
          taken.push(first);
        }
        pullForward(provider, nowMs + config.waitMsMax);
      }
      return taken;
    },

    stopBehind(pending) {
      const [, ...behind] = queueWith(pending).items;
      return behind.find(({ command }) => command.event.body.command === 'stop_tracking')
        ?.command.event.command_id;
    },

    finish(pending, notBeforeMs) {
      const commandQueue = queueWith(pending);
      if (!commandQueue.isInFlight || commandQueue.items[0] !== pending) return;
      commandQueue.isInFlight = false;
      commandQueue.provider.inFlight -= 1;
      if (notBeforeMs === undefined) remove(commandQueue, (each) => each === pending);
      else {
        pending.notBeforeMs = notBeforeMs;
        queueUp(commandQueue);
      }
    },

    nextMs() {
      let least: number | undefined;
      for (const provider of providers.values()) {
        if (provider.inFlight >= config.inFlightMaxPerProvider) continue;
        const next = nextEntry(provider);
        if (next !== undefined) least = Math.min(least ?? Infinity, next.atMs);
      }
      return least;
    },

    drop(partition) {
      for (const provider of providers.values()) {
        for (const commandQueue of [...provider.commandQueues.values()]) {
          remove(commandQueue, ({ command }, at) =>
            command.recordId.partition === partition && (at > 0 || !commandQueue.isInFlight));
        }
      }
    },

    overfull: () => [...providers.values()]
      .filter((provider) => provider.isOverfull && !isFilled(provider, config, 0.5))
      .map(({ name }) => name),

    reopen(name) {
      providerOf(name).isOverfull = false;
    },

    holds: (commandId) => held.has(commandId),
    queues: () => [...providers.values()].map(({ name, pending, inFlight }) => (
      { provider: name, pending, inFlight }
    )),
  };
}

function emptyProvider(name: string): Provider {
  return {
    name, commandQueues: new Map(), waiting: createHeap(({ atMs }: QueueEntry) => atMs),
    pending: 0, bytes: 0, inFlight: 0, isOverfull: false,
  };
}

function queueOf(provider: Provider, name: string): CommandQueue {
  let commandQueue = provider.commandQueues.get(name);
  if (commandQueue === undefined) {
    commandQueue = { name, provider, items: [], isInFlight: false, version: 0 };
    provider.commandQueues.set(name, commandQueue);
  }
  return commandQueue;
}

/** True when the provider holds at least this ratio of what fits. */
function isFilled(provider: Provider, config: ScheduleConfig, ratio: number): boolean {
  return provider.pending >= config.pendingMaxPerProvider * ratio
    || provider.bytes >= config.pendingBytesMaxPerProvider * ratio;
}

/**
 * Nothing waits beyond `latestMs`. A clock that was hours ahead when a wait began would hold the
 * command for these hours after it was corrected. The first entry is the earliest: if it is not
 * late, none is.
 */
function pullForward(provider: Provider, latestMs: number): void {
  const next = nextEntry(provider);
  if (next === undefined || next.atMs <= latestMs) return;
  const late: QueueEntry[] = [];
  for (let entry = provider.waiting.pop(); entry !== undefined; entry = provider.waiting.pop()) {
    late.push(entry);
  }
  for (const entry of late) provider.waiting.push({ ...entry, atMs: latestMs });
}

/** The queue that comes next; entries that no longer count are dropped. */
function nextEntry({ waiting }: Provider): QueueEntry | undefined {
  for (let next = waiting.peek(); next !== undefined; next = waiting.peek()) {
    if (next.version === next.commandQueue.version && !next.commandQueue.isInFlight) return next;
    waiting.pop();
  }
  return undefined;
}
