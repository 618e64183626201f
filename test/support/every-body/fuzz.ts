import type { ChangeParts } from '../whole-edge.ts';
import type { NumberedBody } from './bodies.ts';
import { openBodyEdge } from './edge.ts';
import { problemOf } from './check-body.ts';

/** How many bodies of an operation were sent and accepted. */
export interface FuzzCounts {
  readonly sent: number;
  readonly accepted: number;
}

/** A body that broke a rule; `base64` is its beginning. */
export interface FuzzFinding {
  readonly number: number;
  readonly id: string;
  readonly fault: string;
  readonly base64: string;
}

/** The outcomes of some bodies, by operation. */
export interface BodyFuzzResult {
  readonly counts: Readonly<Record<string, FuzzCounts>>;
  readonly findings: readonly FuzzFinding[];
}

const SHOWN_BYTES_MAX = 4_096;

/**
 * Sends bodies to a server of their own, one after the other on one line, and checks each outcome.
 * `spoil` breaks the server, to see whether that is noticed.
 */
export async function fuzzBodies(
  bodies: Iterable<NumberedBody>, spoil?: ChangeParts,
): Promise<BodyFuzzResult> {
  const counts: Record<string, { sent: number; accepted: number }> = {};
  const findings: FuzzFinding[] = [];
  const edge = await openBodyEdge(spoil);
  try {
    for (const each of bodies) await one(each);
  } finally {
    await edge.close();
  }
  return { counts, findings };

  async function one({ number, id, body }: NumberedBody): Promise<void> {
    const outcome = await edge.send(id, body);
    const count = counts[id] ??= { sent: 0, accepted: 0 };
    count.sent += 1;
    if (outcome.status >= 200 && outcome.status < 300) count.accepted += 1;
    const fault = ({} as { polluted?: unknown }).polluted !== undefined
      ? 'the prototype of all objects was changed'
      : problemOf(id, body, outcome);
    if (fault === undefined) return;
    const base64 = body.subarray(0, SHOWN_BYTES_MAX).toString('base64');
    findings.push({ number, id, fault, base64 });
  }
}
