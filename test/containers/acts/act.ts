import type { Cache } from '../../../infra/local/cache.ts';
import type { Engine } from '../engine/engine.ts';
import type { Network } from '../machine/namespaces.ts';

/** What acts share: one engine at a time, and a copy of the product that they may change. */
export interface ContainerStage {
  readonly root: string;
  /** The copy of the product. */
  readonly product: string;
  /** A folder of this run. */
  readonly folder: string;
  readonly runId: string;
  readonly cache: Cache;
  readonly print: (line: string) => void;
  /** The engine with this network; another one is ended first. */
  readonly engine: (network: Network) => Promise<Engine>;
  /** The network of the engine that runs; `host` when none does. */
  readonly engineNetwork: () => Network;
  /** `docker compose` with the copy's file; gives what it prints. */
  readonly compose: (args: readonly string[], deadlineMs?: number) => Promise<string>;
  /** Runs a script of `inside/` in the network of the engine; gives the JSON that it prints. */
  readonly inside: <Answer>(
    script: string, question: object, deadlineMs?: number,
  ) => Promise<Answer>;
  /** Ends the engine; the machine must be as it was. */
  readonly close: () => Promise<void>;
}

/** How an act ended: what it has to show, and what is wrong. */
export interface ActFinding {
  readonly seen: string;
  readonly complaints: readonly string[];
}

/** Something that an act must notice. */
export interface SeededOffence<Place = ContainerStage> {
  readonly name: string;
  /** Does it, and gives the way back. */
  readonly seed: (stage: Place) => Promise<() => Promise<void> | void>;
  /** What a complaint of the act says about it. */
  readonly said: RegExp;
}

/** One thing that is done with real containers, or a real cluster, and checked. */
export interface Act<Place = ContainerStage> {
  readonly name: string;
  readonly does: string;
  readonly run: (stage: Place) => Promise<ActFinding>;
  /** True when the acts after it run even if it failed: they need nothing of it. */
  readonly isAside?: true;
  /** All at once; each must be noticed. */
  readonly offences: readonly SeededOffence<Place>[];
}

const STACK_LINE = /^\s+at /;

/** The last lines of what a program said, without its stack, as one complaint. */
export function complaintOf(error: unknown, linesMax = 6): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.trim().split('\n').filter((line) => !STACK_LINE.test(line));
  return lines.slice(-linesMax).join(' | ');
}

/** Seconds since a moment of `performance.now()`, for people. */
export function secondsSince(beganMs: number): string {
  return `${((performance.now() - beganMs) / 1_000).toFixed(0)} s`;
}
