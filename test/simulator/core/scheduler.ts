import { setImmediate as nextTick } from 'node:timers';
import type { Dice } from '../../faults/dice.ts';

/** Something that may be killed: everything that it began ends with it. */
export interface SimProcess {
  readonly name: string;
  isAlive: boolean;
  /** Nothing of it goes on before this moment (SIGSTOP). */
  stalledUntilMs: number;
  /** What its own clock shows more than the true one. */
  readonly skewMs: number;
  /** Called once when it dies. */
  readonly onDeath: (() => void)[];
}

/** What kind of step: a request in flight may arrive even when its sender is dead by then. */
export type StepKind = 'timer' | 'request' | 'answer' | 'work';

/** One thing that can happen next. */
export interface SimStep {
  readonly process: SimProcess;
  readonly kind: StepKind;
  readonly label: string;
  readonly atMs: number;
  readonly run: () => void;
  isGone: boolean;
}

/** A step that was put up, to be taken back. */
export interface Posted {
  cancel(): void;
}

/** Decides what happens next, and is the only one who does. */
export interface Scheduler {
  readonly dice: Dice;
  /** Steps so far: the order in which everything happened. */
  step(): number;
  /** The true time. */
  nowMs(): number;
  /** In whose name code runs at this moment. */
  current(): SimProcess;
  spawn(name: string, skewMs?: number): SimProcess;
  /** Ends a process: what it waits for never comes, what it sent may still arrive. */
  kill(process: SimProcess): void;
  post(
    process: SimProcess, kind: StepKind, label: string, delayMs: number, run: () => void,
  ): Posted;
  addToTrace(text: string): void;
  /** What happened last. */
  lastLabel(): string;
  /** Lets things happen until `isDone`, or until nothing can; false when that took too long. */
  runUntil(isDone: () => boolean, stepsMax: number): Promise<boolean>;
}

/** Where the trace goes, if it is wanted. */
export type Trace = ((line: string) => void) | undefined;

/** Process of everything in flight between processes. */
const WIRE = 'wire';
const START_MS = 1_800_000_000_000;

/**
 * Makes a scheduler: of all steps that are due it takes any, by the dice; when none is due, time
 * jumps to the next. One step runs completely, microtasks included, before the next is chosen.
 */
export function createScheduler(dice: Dice, trace: Trace): Scheduler {
  let steps: SimStep[] = [];
  let nowMs = START_MS;
  let count = 0;
  let failure: unknown;
  let last = '';
  const wire = spawn(WIRE);
  let running = wire;

  function spawn(name: string, skewMs = 0): SimProcess {
    return { name, isAlive: true, stalledUntilMs: 0, skewMs, onDeath: [] };
  }

  /** What is in flight arrives, also while its sender is stopped. */
  function dueMs({ process, kind, atMs }: SimStep): number {
    return kind === 'request' ? atMs : Math.max(atMs, process.stalledUntilMs);
  }

  /** A process that wakes up looks at its timers before it reads what came in. */
  function timerBefore(chosen: SimStep): SimStep {
    let first = chosen;
    if (chosen.kind === 'timer') return chosen;
    for (const step of steps) {
      if (step.kind !== 'timer' || step.process !== chosen.process || step.atMs > nowMs) continue;
      if (first.kind !== 'timer' || step.atMs < first.atMs) first = step;
    }
    return first;
  }

  function choose(): SimStep | undefined {
    const due: SimStep[] = [];
    let next = Infinity;
    for (const step of steps) {
      const atMs = dueMs(step);
      if (atMs <= nowMs) due.push(step);
      else if (atMs < next) next = atMs;
    }
    if (due.length === 0) {
      if (next === Infinity) return undefined;
      nowMs = next;
      return choose();
    }
    return timerBefore(dice.pick(due));
  }

  function addToTrace(text: string): void {
    trace?.(`${String(count).padStart(5)} +${nowMs - START_MS} ms ${running.name}: ${text}`);
  }

  function take(step: SimStep): void {
    steps = steps.filter((each) => each !== step);
    step.isGone = true;
    count += 1;
    running = step.process;
    last = step.label;
    addToTrace(step.label);
    step.run();
  }

  return {
    dice,
    step: () => count,
    nowMs: () => nowMs,
    current: () => running,
    lastLabel: () => last,
    spawn,
    addToTrace,
    kill(process) {
      if (!process.isAlive) return;
      process.isAlive = false;
      addToTrace(`${process.name} is killed`);
      const left = steps.filter((step) => step.process === process);
      steps = steps.filter((step) => step.process !== process);
      for (const step of left) {
        step.isGone = true;
        const arrives = step.kind === 'request' && dice.chance(0.5);
        if (arrives) steps.push({ ...step, process: wire, isGone: false });
      }
      for (const each of process.onDeath.splice(0)) each();
    },
    post(process, kind, label, delayMs, run) {
      const step: SimStep = {
        process, kind, label, atMs: nowMs + Math.max(0, delayMs), run, isGone: false,
      };
      if (process.isAlive) steps.push(step);
      return {
        cancel() {
          if (!step.isGone) steps = steps.filter((each) => each !== step);
          step.isGone = true;
        },
      };
    },
    async runUntil(isDone, stepsMax) {
      const onLost = (error: unknown): void => { failure ??= error; };
      process.on('unhandledRejection', onLost);
      try {
        for (let left = stepsMax; left > 0; left -= 1) {
          if (isDone()) return true;
          const step = choose();
          if (step === undefined) return isDone();
          take(step);
          await new Promise<void>((resolve) => { nextTick(resolve); });
          if (failure !== undefined) throw failure as Error;
        }
        return isDone();
      } finally {
        process.off('unhandledRejection', onLost);
      }
    },
  };
}
