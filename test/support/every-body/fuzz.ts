import { exampleCall } from '../documented-answers.ts';
import { BODY_OPERATIONS, openBodyEdge, type BodyEdge } from './edge.ts';
import { faultOf } from './judge.ts';
import { keptOf } from './kept.ts';
import { diceOf, mutated } from './mutate.ts';

/** Which bodies are sent. */
export interface FuzzPlan {
  readonly seed: number;
  /** Number of the first body, and the number after the last. */
  readonly from: number;
  readonly to: number;
  /** Calls at once, each to a server of its own. */
  readonly lanes: number;
  /** Told now and then, with the number up to which every body was sent. */
  readonly onProgress?: (done: number, counts: FuzzCounts) => void;
}

/** How many bodies had which fate. */
export interface FuzzCounts {
  sent: number;
  accepted: number;
  refused: number;
}

/** A body that broke a rule. */
export interface FuzzFinding {
  readonly number: number;
  readonly id: string;
  readonly fault: string;
  readonly body: string;
}

const BLOCK = 500;
const FINDINGS_MAX = 20;

/** Operation and body of a number: the same for ever. */
export function bodyOf(seed: number, number: number): { id: string; body: string } {
  const dice = diceOf(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b));
  const id = BODY_OPERATIONS[number % BODY_OPERATIONS.length] ?? '';
  return { id, body: mutated(exampleCall(id).body, dice) };
}

/** Sends the bodies of a plan; ends early only after {@link FINDINGS_MAX} findings. */
export async function fuzzBodies(
  plan: FuzzPlan,
): Promise<{ readonly counts: FuzzCounts; readonly findings: readonly FuzzFinding[] }> {
  const counts: FuzzCounts = { sent: 0, accepted: 0, refused: 0 };
  const findings: FuzzFinding[] = [];
  let next = plan.from;
  const ends = new Set<number>();
  let done = plan.from;

  async function lane(): Promise<void> {
    while (next < plan.to && findings.length < FINDINGS_MAX) {
      const [start, end] = [next, Math.min(next + BLOCK, plan.to)];
      next = end;
      // A new server for each block, so that nothing of one block is left for another.
      const edge = await openBodyEdge();
      try {
        for (let number = start; number < end; number += 1) {
          await one(edge, number);
        }
      } finally {
        await edge.close();
      }
      ends.add(start);
      while (ends.delete(done)) done = Math.min(done + BLOCK, plan.to);
      plan.onProgress?.(done, counts);
    }
  }

  async function one(edge: BodyEdge, number: number): Promise<void> {
    const { id, body } = bodyOf(plan.seed, number);
    const outcome = await edge.send(id, body);
    counts.sent += 1;
    if (outcome.status < 300) counts.accepted += 1;
    else counts.refused += 1;
    const fault = ({} as { polluted?: unknown }).polluted !== undefined
      ? 'the prototype of all objects was changed'
      : faultOf(outcome, () => keptOf(id, body));
    if (fault !== undefined) findings.push({ number, id, fault, body });
  }

  await Promise.all(Array.from({ length: plan.lanes }, lane));
  return { counts, findings };
}
