import { anOutcome } from '../../support/fake-item-outcomes.ts';
import { aScore } from '../../support/fake-provider-quality.ts';
import { CALLER, type WholeEdge } from '../../support/whole-edge.ts';

/** Asks for accepted calls after one a moment ago: that of the examples will be too old. */
export function ofNewCall(at: WholeEdge, id: string): Promise<Response> {
  const received_at_ms = Date.now();
  at.itemOutcomes.add(CALLER, '0198c0de-0000-7000-8000-000000000001', anOutcome({ received_at_ms }));
  return at.call(id);
}

/** Asks for the calls of a client after one that was taken and others that were refused. */
export async function ofKnownCaller(at: WholeEdge, id: string): Promise<Response> {
  const atMs = Date.parse('2025-11-24T16:00:05.123Z');
  await at.states.taken.keep(CALLER, [
    { operation: 'register-device', first_at_ms: atMs, last_at_ms: atMs + 60_000 },
  ]);
  await at.states.refusals.keep(CALLER, [{
    operation: 'send-locations', status: 400, code: 'validation_failed',
    pointers: ['/locations/0/latitude'], count: 3, first_at_ms: atMs, last_at_ms: atMs + 1_000,
  }]);
  return at.call(id);
}

/** Asks for scores once days of the caller's provider are computed. */
export function scored(at: WholeEdge, id: string): Promise<Response> {
  at.providerQuality.scores.push(aScore());
  return at.call(id);
}
