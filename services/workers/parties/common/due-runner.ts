import type { Clock, Pause } from '../../../kernel/clock.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { isUnavailable, Unavailable } from '../../../kernel/unavailable.ts';
import { repeatPoll } from '../../common/repeat-poll.ts';
import { createStages } from '../../common/stages.ts';
import { DUE_STAGES, type WorkerId } from '../../workers.ts';
import type { DueItem, DueRunnerConfig, DueWork, Next, PartyQueue } from './due-work.ts';
import { createInFlight } from './in-flight.ts';
import type { ItemDefects } from './item-defects.ts';
import { createPartySlots } from './party-slots.ts';

/** What the runner needs. `onCrash` gets a defect, after which the process must end. */
export interface DueRunnerPorts {
  readonly clock: Clock;
  readonly pause: Pause;
  readonly signals: Signals;
  readonly onCrash: (error: unknown) => void;
  readonly itemDefects: ItemDefects;
}

/** A worker that serves due queues. */
export interface DueRunner {
  /** Polls once and waits for what was taken. */
  readonly poll: () => Promise<void>;
  readonly start: () => void;
  /** Takes nothing more and waits for what is in flight. */
  readonly stop: () => Promise<void>;
}

/** One item that goes through the stages, and the party of which it holds a slot. */
interface Run<Item extends DueItem, Answer, Progress> {
  readonly name: string;
  readonly queue: PartyQueue<Item, Progress>;
  partyId: string | undefined;
  item?: Item;
  answer?: Answer;
}

const SET_ASIDE_MS = 3_600_000;
const [TAKE_DUE, ...ITEM_STAGES] = DUE_STAGES;

/**
 * Serves due queues: takes items by lease, runs each through `DUE_STAGES` and reschedules it. It
 * keeps nothing, so a crash only repeats an attempt. A party that hangs has no more than its slots,
 * and each poll begins with another queue, so that none is always last.
 */
export function createDueRunner<Item extends DueItem, Answer, Progress = never>(
  worker: WorkerId, config: DueRunnerConfig, work: DueWork<Item, Answer, Progress>,
  ports: DueRunnerPorts,
): DueRunner {
  type Taken = Run<Item, Answer, Progress>;
  const { clock } = ports;
  const stage = createStages(worker, DUE_STAGES, ports);
  const inFlight = createInFlight<string>(ports.onCrash);
  const slots = createPartySlots(config.inFlightMaxPerParty);
  let first = 0;

  /** What each stage does with an item; true when the item needs the next stage. */
  const steps: Record<(typeof ITEM_STAGES)[number]['name'], (run: Taken) => Promise<boolean>> = {
    async load(run) {
      if (await ports.itemDefects.isSetAside(run.name)) return setAside(run);
      const found = await run.queue.load(run.name);
      if (!('partyId' in found)) return reschedule(run, found);
      if (run.partyId === undefined) {
        const nowMs = clock.nowMs();
        if (slots.free(found.partyId, nowMs) <= 0) {
          return reschedule(run, { dueMs: nowMs + config.busyMs });
        }
        enter(run, found.partyId);
      }
      run.item = found;
      return true;
    },
    async request(run) {
      if (run.item === undefined) return false;
      run.answer = await work.request(run.item);
      return true;
    },
    async record(run) {
      if (run.item === undefined || run.answer === undefined) return false;
      const next = await work.record(run.item, run.answer, clock.nowMs() + config.appendMsMax);
      return next === undefined ? false : reschedule(run, next);
    },
  };

  async function reschedule({ name, queue }: Taken, next: Next<Progress>): Promise<false> {
    await queue.reschedule(name, next);
    next.report?.();
    if (next.holdMs !== undefined && queue.partyId !== undefined) {
      slots.hold(queue.partyId, clock.nowMs() + next.holdMs);
    }
    return false;
  }

  /** The queue keeps it, and it is tried again when its defect is forgotten. */
  async function setAside(run: Taken): Promise<false> {
    run.queue.onFailed(run.name, new Unavailable('defect', 'consume', 'it ended the process before'));
    return reschedule(run, { dueMs: clock.nowMs() + SET_ASIDE_MS });
  }

  function enter(run: Taken, partyId: string): void {
    run.partyId = partyId;
    slots.enter(partyId);
  }

  /** Runs the stages in the order of the table. */
  async function attempt(run: Taken): Promise<void> {
    const begun = clock.nowMs();
    try {
      for (const { name } of ITEM_STAGES) if (!await stage(name, () => steps[name](run))) break;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      run.queue.onFailed(run.name, error);
    } finally {
      if (run.partyId !== undefined) slots.leave(run.partyId);
      work.onEnded?.((clock.nowMs() - begun) / 1_000);
    }
  }

  async function take(queue: PartyQueue<Item, Progress>): Promise<void> {
    const { partyId } = queue;
    const nowMs = clock.nowMs();
    const free = partyId === undefined ? Infinity : slots.free(partyId, nowMs);
    const room = Math.min(config.inFlightMax - inFlight.size, free);
    if (room <= 0) return;
    const names = await stage(TAKE_DUE.name, () => queue.takeDue(nowMs, config.leaseMs, room));
    for (const name of names) {
      const run: Taken = { name, queue, partyId: undefined };
      if (partyId !== undefined) enter(run, partyId);
      inFlight.add(name, ports.itemDefects.guard(name, () => attempt(run)));
    }
  }

  async function pollQueues(): Promise<void> {
    const queues = await work.queues();
    slots.keepHolds(new Set(queues.map(({ partyId }) => partyId)));
    first = queues.length === 0 ? 0 : (first + 1) % queues.length;
    for (const queue of [...queues.slice(first), ...queues.slice(0, first)]) await take(queue);
    work.onPolled(inFlight.size);
  }

  const drain = async (): Promise<void> => { while (await inFlight.wait()); };

  const { start, stop } = repeatPoll(config.pollMs, pollQueues, {
    pause: ports.pause, onCrash: ports.onCrash,
    onFault: (code, stageOfIt) => work.onPollFailed({ code, stage: stageOfIt }),
  });
  return {
    poll: async () => {
      await pollQueues();
      await drain();
    },
    start,
    stop: async () => {
      await stop();
      await drain();
    },
  };
}
