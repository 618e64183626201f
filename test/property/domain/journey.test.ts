import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReceivedNotification } from '../../../services/domain/journey/journey.ts';
import { evolveJourney } from '../../../services/domain/journey/projection.ts';
import type { JourneyRecorded, ShipmentJourney } from '../../../services/kernel/shipments.ts';
import { recordJourneys, received } from '../../support/journeys.ts';

const FINAL = new Set(['EX-DELIVERED', 'EX-LOST']);
const reported = fc.record({
  code: fc.constantFrom('EX-CREATED', 'EX-HUB', 'EX-ON-ROUTE', 'UNKNOWN', 'EX-DELIVERED', 'EX-LOST'),
  minute: fc.integer({ min: 0, max: 4 }),
});
const log = fc.array(reported, { maxLength: 25 }).map((all): ReceivedNotification[] =>
  all.map(({ code, minute }, offset) => received(offset, code, minute)));

/** The rules of decisions.md once more, as naively as they read. */
function reference(all: readonly ReceivedNotification[]): string[] {
  const seen = new Set<string>();
  let last = -Infinity;
  let isOver = false;
  return all.map(({ code, occurred_at_ms }) => {
    const content = `${code} ${occurred_at_ms}`;
    if (isOver) return 'ignored_after_final';
    if (seen.has(content)) return 'duplicate';
    seen.add(content);
    if (FINAL.has(code)) isOver = true;
    else if (occurred_at_ms < last) return 'out_of_order';
    last = occurred_at_ms;
    return 'applied';
  });
}

it('[NOT-38] classifies by the rules, in any order and however often things are sent', () => {
  fc.assert(fc.property(log, (all) => {
    expect(recordJourneys(all).events.map(({ outcome }) => outcome)).toEqual(reference(all));
  }), { numRuns: 500 });
});

it('folds repeated and replayed facts to the same journey', () => {
  fc.assert(fc.property(log, fc.array(fc.nat({ max: 24 }), { maxLength: 6 }), (all, cuts) => {
    const { events, journey } = recordJourneys(all);
    const fold = (facts: readonly JourneyRecorded[]): ShipmentJourney | undefined =>
      facts.reduce<ShipmentJourney | undefined>(evolveJourney, undefined);
    // A worker that crashed says again what it said since some point before.
    const repeated = cuts.reduce<JourneyRecorded[]>(
      (facts, cut) => [...facts, ...events.slice(Math.min(cut, events.length))], [...events],
    );
    expect(fold(repeated)).toEqual(journey);
  }));
});

it('never changes a shipment after its end', () => {
  fc.assert(fc.property(log, (all) => {
    const { events } = recordJourneys(all);
    const end = events.findIndex(({ state }) => state?.final === true);
    if (end < 0) return;
    for (const event of events.slice(end)) expect(event.state).toEqual(events[end]?.state);
  }));
});

const owner = fc.option(fc.record({
  client_id: fc.constantFrom('a', 'b'), at_ms: fc.integer({ min: 1, max: 3 }),
  basis: fc.constantFrom('range', 'authorization', 'reassignment'),
}), { nil: undefined });
const contested = fc.array(fc.record({
  code: fc.constantFrom('EX-CREATED', 'EX-HUB', 'EX-DELIVERED'),
  minute: fc.integer({ min: 0, max: 4 }), client: fc.constantFrom('a', 'b'), owner,
}), { maxLength: 20 }).map((all) => all.map(({ code, minute, client, owner: known }, offset) => (
  received(offset, code, minute, { client_id: client, ...(known && { owner: known }) })
)));

it('[NOT-47] never lets a notification of another carrier change a journey', () => {
  fc.assert(fc.property(contested, (all) => {
    const { events } = recordJourneys(all);
    for (const [at, event] of events.entries()) {
      expect(event.outcome === 'disputed').toBe(event.carrier !== event.client_id);
      const before = events[at - 1];
      if (event.outcome !== 'disputed' || before?.carrier !== event.carrier) continue;
      expect(event.state).toEqual(before.state);
    }
  }), { numRuns: 500 });
});

it('[NOT-47] folds contested journeys to the same state from their facts alone', () => {
  fc.assert(fc.property(contested, fc.nat({ max: 20 }), (all, cut) => {
    const { events, journey } = recordJourneys(all);
    const repeated = [...events, ...events.slice(Math.min(cut, events.length))];
    expect(repeated.reduce<ShipmentJourney | undefined>(evolveJourney, undefined)).toEqual(journey);
  }), { numRuns: 300 });
});
