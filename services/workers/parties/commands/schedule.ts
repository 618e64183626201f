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

/** A command that waits or is under way. Times are milliseconds since 1970. */
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

interface Lane {
  readonly name: string;
  readonly provider: Provider;
  readonly queue: Pending[];
  isInFlight: boolean;
  /** Rises with each queueing, so that older references to the lane are recognised. */
  turn: number;
}

interface Turn {
  readonly lane: Lane;
  readonly turn: number;
  readonly atMs: number;
}

interface Provider {
  readonly name: string;
  readonly lanes: Map<string, Lane>;
  readonly waiting: Heap<Turn>;
  pending: number;
  bytes: number;
  inFlight: number;
  isOverfull: boolean;
}

/**
 * When which command goes out: strictly in order per transport and provider, a bounded number at a
 * time per provider, so that a provider that hangs takes nobody else's turn. Knows no clock and
 * does nothing; whoever uses it sends.
 */
export interface Schedule {
  /** Takes a command in log order. A stop takes the starts out that wait before it. */
  add(pending: Pending): readonly Cancelled[];
  /** What goes out now; each stays the first of its lane until it is settled. */
  take(nowMs: number): readonly Pending[];
  /** The id of a stop that waits behind this command, if any. */
  stopBehind(pending: Pending): string | undefined;
  /** Ends a command that was taken; with a time it stays the first of its lane, for then. */
  settle(pending: Pending, notBeforeMs?: number): void;
  /** When something may next go out; undefined when nothing waits. */
  nextMs(): number | undefined;
  /** Forgets the commands of a partition that nobody has taken yet. */
  drop(partition: number): void;
  /** Forgets what waits of a provider that has more than fits, and says whether it had. */
  overfull(): readonly string[];
  /** Lets a provider take commands again after it was overfull. */
  reopen(provider: string): void;
  holds(commandId: string): boolean;
  /** What each provider has waiting, with what is under way, and how much of it that is. */
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

  /** Puts a lane up for its first command; an earlier reference to it counts no more. */
  function queueUp(lane: Lane): void {
    lane.turn += 1;
    const [first] = lane.queue;
    if (first === undefined) {
      if (!lane.isInFlight) lane.provider.lanes.delete(lane.name);
      return;
    }
    if (lane.isInFlight) return;
    lane.provider.waiting.push({ lane, turn: lane.turn, atMs: first.notBeforeMs });
  }

  function remove(lane: Lane, leaves: (pending: Pending, at: number) => boolean): Pending[] {
    const gone = lane.queue.filter(leaves);
    if (gone.length === 0) return gone;
    const stays = lane.queue.filter((pending) => !gone.includes(pending));
    lane.queue.splice(0, lane.queue.length, ...stays);
    lane.provider.pending -= gone.length;
    for (const { command, bytes } of gone) {
      lane.provider.bytes -= bytes;
      held.delete(command.event.command_id);
    }
    queueUp(lane);
    return gone;
  }

  function cancelStarts(lane: Lane, by: string): readonly Cancelled[] {
    const isWaiting = (at: number): boolean => at > 0 || !lane.isInFlight;
    return remove(lane, ({ command }, at) =>
      isWaiting(at) && command.event.body.command === 'start_tracking',
    ).map((pending) => ({ pending, by }));
  }

  const laneWith = ({ command: { event } }: Pending): Lane =>
    laneOf(providerOf(event.provider), event.command_key);

  return {
    add(pending) {
      const { event } = pending.command;
      if (held.has(event.command_id)) return [];
      const lane = laneWith(pending);
      const { provider } = lane;
      const isStop = event.body.command === 'stop_tracking';
      const cancelled = isStop ? cancelStarts(lane, event.command_id) : [];
      provider.isOverfull ||= isFilled(provider, config, 1);
      if (!provider.isOverfull) {
        const current = laneOf(provider, event.command_key);
        current.queue.push(pending);
        provider.pending += 1;
        provider.bytes += pending.bytes;
        held.add(event.command_id);
        if (current.queue.length === 1) queueUp(current);
      }
      return cancelled;
    },

    take(nowMs) {
      const taken: Pending[] = [];
      for (const provider of providers.values()) {
        while (provider.inFlight < config.inFlightMaxPerProvider) {
          const next = turnOf(provider);
          const first = next?.lane.queue[0];
          if (next === undefined || first === undefined || next.atMs > nowMs) break;
          provider.waiting.pop();
          next.lane.isInFlight = true;
          provider.inFlight += 1;
          taken.push(first);
        }
        pullForward(provider, nowMs + config.waitMsMax);
      }
      return taken;
    },

    stopBehind(pending) {
      const [, ...behind] = laneWith(pending).queue;
      return behind.find(({ command }) => command.event.body.command === 'stop_tracking')
        ?.command.event.command_id;
    },

    settle(pending, notBeforeMs) {
      const lane = laneWith(pending);
      if (!lane.isInFlight || lane.queue[0] !== pending) return;
      lane.isInFlight = false;
      lane.provider.inFlight -= 1;
      if (notBeforeMs === undefined) remove(lane, (each) => each === pending);
      else {
        pending.notBeforeMs = notBeforeMs;
        queueUp(lane);
      }
    },

    nextMs() {
      let least: number | undefined;
      for (const provider of providers.values()) {
        if (provider.inFlight >= config.inFlightMaxPerProvider) continue;
        const next = turnOf(provider);
        if (next !== undefined) least = Math.min(least ?? Infinity, next.atMs);
      }
      return least;
    },

    drop(partition) {
      for (const provider of providers.values()) {
        for (const lane of [...provider.lanes.values()]) {
          remove(lane, ({ command }, at) =>
            command.recordId.partition === partition && (at > 0 || !lane.isInFlight));
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
    name, lanes: new Map(), waiting: createHeap(({ atMs }: Turn) => atMs), pending: 0, bytes: 0,
    inFlight: 0, isOverfull: false,
  };
}

function laneOf(provider: Provider, name: string): Lane {
  let lane = provider.lanes.get(name);
  if (lane === undefined) {
    lane = { name, provider, queue: [], isInFlight: false, turn: 0 };
    provider.lanes.set(name, lane);
  }
  return lane;
}

/** True when the provider holds at least this share of what fits. */
function isFilled(provider: Provider, config: ScheduleConfig, share: number): boolean {
  return provider.pending >= config.pendingMaxPerProvider * share
    || provider.bytes >= config.pendingBytesMaxPerProvider * share;
}

/**
 * Nothing waits beyond `latestMs`. A clock that was hours ahead when a wait began would hold the
 * command for these hours after it was set right. The first turn is the earliest: with it all are.
 */
function pullForward(provider: Provider, latestMs: number): void {
  const next = turnOf(provider);
  if (next === undefined || next.atMs <= latestMs) return;
  const late: Turn[] = [];
  for (let turn = provider.waiting.pop(); turn !== undefined; turn = provider.waiting.pop()) {
    late.push(turn);
  }
  for (const turn of late) provider.waiting.push({ ...turn, atMs: latestMs });
}

/** The lane whose turn comes next, past references that count no more. */
function turnOf({ waiting }: Provider): Turn | undefined {
  for (let next = waiting.peek(); next !== undefined; next = waiting.peek()) {
    if (next.turn === next.lane.turn && !next.lane.isInFlight) return next;
    waiting.pop();
  }
  return undefined;
}
