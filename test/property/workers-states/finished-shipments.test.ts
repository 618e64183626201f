import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideJourney } from '../../../services/domain/journey/journey.ts';
import { evolveJourney, journeyAt } from '../../../services/domain/journey/projection.ts';
import { HISTORY_MS } from '../../../services/kernel/lifetimes.ts';
import type {
  JourneyRecorded, ShipmentJourney, ShipmentStates,
} from '../../../services/kernel/shipments.ts';
import { CATALOGUE, received } from '../../support/journeys.ts';
import { memoryStates, type MemoryStates } from '../../support/memory-states.ts';

const DAY_MS = 86_400_000;
const START_MS = 1_764_000_000_000;
const NUMBERS = ['RST1', 'RST2'] as const;
const CARRIERS = ['a', 'b'] as const;

const step = fc.record({
  number: fc.constantFrom(...NUMBERS),
  carrier: fc.constantFrom(...CARRIERS),
  kind: fc.constantFrom('notify', 'notify', 'notify', 'authorize', 'reassign'),
  code: fc.constantFrom('EX-HUB', 'EX-ON-ROUTE', 'EX-DELIVERED', 'EX-RETURNED'),
  minute: fc.nat({ max: 5 }),
  /** How long after the one before; shipments are forgotten after 400 days. */
  days: fc.constantFrom(0, 0, 1, 40, 170, 401),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Fact = { readonly atMs: number; readonly number: string } & (
  | { readonly event: JourneyRecorded }
  | { readonly apply: (shipments: ShipmentStates) => Promise<void> }
);

/** Plays steps against a live store, and answers what the log holds then. */
async function play(
  steps: readonly Step[], live: MemoryStates, tick: (atMs: number) => void,
): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  let atMs = START_MS;
  for (const [offset, { number, carrier, kind, code, minute, days }] of steps.entries()) {
    atMs += days * DAY_MS + 1;
    tick(atMs);
    if (kind === 'notify') {
      const owner = (await live.shipments.owners([number])).get(number);
      const journey = (await live.shipments.loadJourneys([number], true)).get(number);
      const event = decideJourney(CATALOGUE, journey, received(offset, code, minute, {
        tracking_number: number, client_id: carrier, received_at_ms: atMs,
        ...(owner === undefined ? {} : { owner }),
      }));
      await live.shipments.putJourneys(new Map([[number, evolveJourney(journey, event)]]));
      facts.push({ atMs, number, event });
      continue;
    }
    const at_ms = atMs;
    const apply = (shipments: ShipmentStates): Promise<void> => kind === 'authorize'
      ? shipments.authorize(number, { platform_client_id: 'p', carrier_client_id: carrier, at_ms })
      : shipments.reassign({
        type: 'ShipmentReassigned', tracking_number: number, carrier_client_id: carrier, at_ms,
      });
    await apply(live.shipments);
    facts.push({ atMs, number, apply });
  }
  return facts;
}

/** As a rebuild does: authorizations first, then journeys in batches of this size. */
async function rebuild(
  facts: readonly Fact[], size: number, states: MemoryStates,
): Promise<void> {
  for (const fact of facts) if ('apply' in fact) await fact.apply(states.shipments);
  const events = facts.flatMap((fact) => 'event' in fact ? [fact.event] : []);
  for (let at = 0; at < events.length; at += size) {
    const batch = events.slice(at, at + size);
    const journeys = new Map(await states.shipments.loadJourneys(NUMBERS, false));
    for (const event of batch) {
      const { tracking_number } = event;
      journeys.set(tracking_number, evolveJourney(journeys.get(tracking_number), event));
    }
    await states.shipments.putJourneys(journeys);
  }
}

/**
 * What is known of these, and what their next notification finds; of those that are leaving a
 * rebuild may know more for some days.
 */
const seenIn = async (
  { shipments, store }: MemoryStates, numbers: readonly string[], nowMs: number,
): Promise<readonly unknown[]> => Promise.all([
  ...numbers.map(async (number) => ({
    byItself: store.ofKind('shipment').filter(({ key }) => key.id === number).length,
    packed: store.ofKind('finished-shipments').flatMap(({ fields }) => fields.get(number) ?? []),
  })),
  ...numbers.map((number) => shipments.find(number)),
  shipments.owners(numbers),
  shipments.loadJourneys(numbers, true).then((journeys) => (
    numbers.map((number) => journeyAt(journeys.get(number), nowMs))
  )),
]);

/** The sides are known first in a rebuild: a word that comes long after a journey began. */
const REASSIGNED_LATE: readonly Step[] = ([0, 170, 170, 170] as const).map((days): Step => (
  { number: 'RST1', carrier: 'a', kind: 'notify', code: 'EX-HUB', minute: 0, days }
)).concat({ number: 'RST1', carrier: 'a', kind: 'reassign', code: 'EX-HUB', minute: 0, days: 0 });

it('[GEN-67] ends in the same shipments by a rebuild, also where they were finished between', async () => {
  const settings = [fc.array(step, { maxLength: 14 }), fc.integer({ min: 1, max: 5 })] as const;
  await fc.assert(fc.asyncProperty(...settings, async (steps, size) => {
    let nowMs = START_MS;
    const live = memoryStates(() => nowMs);
    const facts = await play(steps, live, (ms) => { nowMs = ms; });
    const again = memoryStates(() => nowMs);
    await rebuild(facts, size, again);
    // Every fact once more, as after a crash, changes nothing.
    await rebuild(facts, size, again);
    const staying = NUMBERS.filter((number) => facts.some((fact) => (
      fact.number === number && fact.atMs + HISTORY_MS > nowMs
    )));
    expect(await seenIn(again, staying, nowMs)).toEqual(await seenIn(live, staying, nowMs));
  }), { numRuns: 1_000, examples: [[[...REASSIGNED_LATE], 1]] });
});

it('[GEN-67] gives the outcomes that follow from the events alone, whatever the store packs', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
    let nowMs = START_MS;
    const facts = await play(steps, memoryStates(() => nowMs), (ms) => { nowMs = ms; });
    const events = facts.flatMap((fact) => 'event' in fact ? [fact.event] : []);
    for (const [at, event] of events.entries()) {
      const journey = events.slice(0, at)
        .filter(({ tracking_number }) => tracking_number === event.tracking_number)
        .reduce<ShipmentJourney | undefined>(evolveJourney, undefined);
      const { ingest_id, source, notification, code, carrier_code, occurred_at } = event;
      expect(decideJourney(CATALOGUE, journey, {
        ingest_id, source, notification, code, carrier_code, occurred_at, payload: {},
        tracking_number: event.tracking_number, client_id: event.client_id,
        occurred_at_ms: Date.parse(occurred_at), received_at_ms: event.received_at_ms,
        content_hash: event.content_hash,
        ...(event.owner === undefined ? {} : { owner: event.owner }),
      })).toEqual(event);
    }
  }), { numRuns: 300 });
});
