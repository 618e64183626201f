import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSchedule, type Pending, type Schedule,
} from '../../../services/workers/parties/commands/schedule.ts';
import { aCommand, placedCommands } from '../../support/command-facts.ts';

const CONFIG = {
  inFlightMaxPerProvider: 2, pendingMaxPerProvider: 100, pendingBytesMaxPerProvider: 1e9,
  waitMsMax: 100,
};

type Step =
  | {
    readonly do: 'add'; readonly provider: string; readonly transport: number;
    readonly stop: boolean;
  }
  | { readonly do: 'take' }
  | { readonly do: 'finish'; readonly which: number; readonly waitMs: number | undefined };

const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const), provider: fc.constantFrom('a', 'b', 'c'),
    transport: fc.integer({ min: 1, max: 4 }), stop: fc.boolean(),
  }),
  fc.constant({ do: 'take' as const }),
  fc.record({
    do: fc.constant('finish' as const), which: fc.nat(5),
    waitMs: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
  }),
);

/** What a run of random steps saw, to be held against the rules. */
interface Run {
  readonly schedule: Schedule;
  /** Offsets in the order of being taken, with repeats. */
  readonly taken: Pending[];
  readonly added: Pending[];
  readonly ended: Set<Pending>;
  readonly cancelled: Map<Pending, string>;
  nowMs: number;
  underWay: Pending[];
}

function run(steps: readonly Step[], config = CONFIG): Run {
  const state: Run = {
    schedule: createSchedule(config), taken: [], added: [], ended: new Set(),
    cancelled: new Map(), nowMs: 0, underWay: [],
  };
  for (const step of steps) apply(step, state);
  return state;
}

function apply(step: Step, state: Run): void {
  state.nowMs += 1;
  if (step.do === 'add') {
    const [command] = placedCommands([
      aCommand(step.stop ? 'stop_tracking' : 'start_tracking', step.transport, {
        provider: step.provider,
      }),
    ], state.added.length);
    const pending = { command: command!, bytes: 1, attempts: 0, notBeforeMs: 0 };
    state.added.push(pending);
    for (const { pending: start, by } of state.schedule.add(pending)) {
      state.cancelled.set(start, by);
    }
  } else if (step.do === 'take') {
    for (const pending of state.schedule.take(state.nowMs)) {
      state.taken.push(pending);
      state.underWay.push(pending);
    }
  } else {
    const pending = state.underWay[step.which];
    if (pending === undefined) return;
    state.underWay = state.underWay.filter((each) => each !== pending);
    if (step.waitMs === undefined) state.ended.add(pending);
    state.schedule.finish(
      pending, step.waitMs === undefined ? undefined : state.nowMs + step.waitMs,
    );
  }
}

const queueOf = ({ command: { event } }: Pending) => `${event.provider} ${event.command_key}`;
const offsetOf = ({ command }: Pending) => Number(command.recordId.offset);
const steps = fc.array(aStep, { maxLength: 80 });

function pendingIn(schedule: Schedule): number {
  return schedule.queues().reduce((sum, { pending }) => sum + pending, 0);
}

/** Lets everything that waits go out and end. */
function finish(state: Run): void {
  for (let round = 0; round < 500; round += 1) {
    apply({ do: 'finish', which: 0, waitMs: undefined }, state);
    state.nowMs += 100;
    apply({ do: 'take' }, state);
  }
}

describe('the schedule', () => {
  it('[CMD-32] sends the commands of a lane in their order, one at a time', () => {
    fc.assert(fc.property(steps, (chosen) => {
      const state = run(chosen);
      const last = new Map<string, number>();
      for (const pending of state.taken) {
        expect(offsetOf(pending)).toBeGreaterThanOrEqual(last.get(queueOf(pending)) ?? -1);
        last.set(queueOf(pending), offsetOf(pending));
      }
      expect(new Set(state.underWay.map(queueOf)).size).toBe(state.underWay.length);
    }));
  });

  it('[CMD-23] sends nothing that has ended or was cancelled', () => {
    fc.assert(fc.property(steps, (chosen) => {
      const state = run(chosen);
      const over = new Set([...state.ended, ...state.cancelled.keys()]);
      const before = state.taken.length;
      finish(state);
      for (const pending of state.taken.slice(before)) expect(over.has(pending)).toBe(false);
    }));
  });

  it('[CMD-34] a stop takes out every start that waits before it, and only those', () => {
    fc.assert(fc.property(steps, (chosen) => {
      const state = run(chosen);
      for (const [start, by] of state.cancelled) {
        const stop = state.added.find(({ command }) => command.event.command_id === by);
        expect(start.command.event.body.command).toBe('start_tracking');
        expect(queueOf(stop!)).toBe(queueOf(start));
        expect(offsetOf(stop!)).toBeGreaterThan(offsetOf(start));
      }
      // What waits now: no start has a stop behind it, unless it is in flight.
      const before = state.taken.length;
      finish(state);
      const sent = state.taken.slice(before).filter(({ command }) =>
        command.event.body.command === 'start_tracking');
      for (const start of sent) expect(state.cancelled.has(start)).toBe(false);
    }));
  });

  it('loses nothing: everything that was added ends or was cancelled', () => {
    fc.assert(fc.property(steps, (chosen) => {
      const state = run(chosen);
      finish(state);
      const over = new Set([...state.ended, ...state.cancelled.keys()]);
      expect(state.added.every((pending) => over.has(pending))).toBe(true);
      expect(pendingIn(state.schedule)).toBe(0);
      expect(state.schedule.nextMs()).toBeUndefined();
    }));
  });

  it('[CMD-33] keeps to the limit in flight per provider, and gives the others theirs', () => {
    fc.assert(fc.property(steps, (chosen) => {
      const state = run(chosen);
      // Provider a hangs: nothing of it is ever settled.
      const hangs = (pending: Pending) => pending.command.event.provider === 'a';
      for (let round = 0; round < 400; round += 1) {
        const which = state.underWay.findIndex((pending) => !hangs(pending));
        apply({ do: 'finish', which: which === -1 ? 99 : which, waitMs: undefined }, state);
        state.nowMs += 100;
        apply({ do: 'take' }, state);
        const counts = Map.groupBy(state.underWay, ({ command }) => command.event.provider);
        for (const [, under] of counts) expect(under.length).toBeLessThanOrEqual(2);
      }
      const over = new Set([...state.ended, ...state.cancelled.keys()]);
      const others = state.added.filter((pending) => !hangs(pending));
      expect(others.every((pending) => over.has(pending))).toBe(true);
    }));
  });

  it('never sends before its time, and says when the next time is', () => {
    fc.assert(fc.property(steps, (chosen) => {
      const state = run(chosen);
      for (let round = 0; round < 50; round += 1) {
        const taken = state.schedule.take(state.nowMs);
        for (const pending of taken) expect(pending.notBeforeMs).toBeLessThanOrEqual(state.nowMs);
        const nextMs = state.schedule.nextMs();
        if (nextMs !== undefined) expect(nextMs).toBeGreaterThan(state.nowMs);
        for (const pending of [...taken, ...state.underWay.splice(0)]) {
          state.schedule.finish(pending);
        }
        state.nowMs += 10;
      }
    }));
  });

  it('holds a bounded number per provider, and says when there is room again', () => {
    const state = run([], { ...CONFIG, pendingMaxPerProvider: 4 });
    const add = (provider: string, transport: number) =>
      apply({ do: 'add', provider, transport, stop: false }, state);
    for (let transport = 0; transport < 9; transport += 1) add('a', transport);
    add('b', 1);
    expect(pendingIn(state.schedule)).toBe(5);
    expect(state.schedule.overfull()).toEqual([]);
    apply({ do: 'take' }, state);
    const own = state.underWay.filter(({ command }) => command.event.provider === 'a');
    for (const pending of own) state.schedule.finish(pending);
    expect(state.schedule.overfull()).toEqual([]);
    for (const pending of state.schedule.take(99)) state.schedule.finish(pending);
    expect(state.schedule.overfull()).toEqual(['a']);
    state.schedule.reopen('a');
    add('a', 20);
    expect(state.schedule.overfull()).toEqual([]);
    expect(pendingIn(state.schedule)).toBe(2);
  });

  it('forgets a partition, but not what is in flight', () => {
    const state = run([
      { do: 'add', provider: 'a', transport: 1, stop: false },
      { do: 'add', provider: 'a', transport: 1, stop: true },
      { do: 'add', provider: 'a', transport: 2, stop: false },
      { do: 'take' },
    ]);
    state.schedule.drop(0);
    expect(pendingIn(state.schedule)).toBe(state.underWay.length);
    for (const pending of state.underWay) state.schedule.finish(pending);
    expect(pendingIn(state.schedule)).toBe(0);
  });

  it('keeps no command longer than twice the longest wait, however far ahead a clock was', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 20 });
    fc.assert(fc.property(waits, (ahead) => {
      const schedule = createSchedule({ ...CONFIG, inFlightMaxPerProvider: 100 });
      ahead.forEach((aheadMs, nth) => {
        const [command] = placedCommands([aCommand('start_tracking', nth + 1)], nth);
        schedule.add({ command: command!, bytes: 1, attempts: 1, notBeforeMs: aheadMs });
      });
      const first = schedule.take(0).length;
      const then = schedule.take(CONFIG.waitMsMax).length;
      expect(first).toBe(ahead.filter((aheadMs) => aheadMs === 0).length);
      expect(first + then + schedule.take(2 * CONFIG.waitMsMax).length).toBe(ahead.length);
    }));
  });
});
