import { describe, expect, it } from 'vitest';
import { CONTENTS_MAX, evolveJourney } from '../../../services/domain/journey/projection.ts';
import { epochMsOf } from '../../../services/kernel/date-time.ts';
import { HISTORY_MS } from '../../../services/kernel/lifetimes.ts';
import { JOURNEY_RULES } from '../../../services/domain/journey/rules.ts';
import type { ReceivedNotification } from '../../../services/domain/journey/journey.ts';
import type { ShipmentOwner } from '../../../services/kernel/shipments.ts';
import { catalogueOf, recordJourneys, received } from '../../support/journeys.ts';

const reported = (all: Parameters<typeof recordJourneys>[0]) => recordJourneys(all).events.map(
  ({ outcome, rule, state }) => [outcome, rule, state?.status, state?.final],
);

/** What a notification knows of the owner of its number. */
const by = (
  basis: ShipmentOwner['basis'], client_id: string, at_ms = 1,
): Pick<ReceivedNotification, 'owner'> => ({ owner: { client_id, basis, at_ms } });
const from = (client_id: string, more: Partial<ReceivedNotification> = {}) => (
  { client_id, ...more }
);

describe('Whose notification counts', () => {
  it('[NOT-43] [NOT-47] is that of the first in the log while nothing was declared', () => {
    const { events, journey } = recordJourneys([
      received(1, 'EX-HUB', 1), received(2, 'EX-DELIVERED', 2, from('carrier-2')),
      received(3, 'EX-ON-ROUTE', 3),
    ]);
    expect(events.map(({ outcome, rule, carrier, state }) => [outcome, rule, carrier, state?.code]))
      .toEqual([
        ['applied', 'first', 'carrier-1', 'EX-HUB'],
        ['disputed', 'other_carrier', 'carrier-1', 'EX-HUB'],
        ['applied', 'in_order', 'carrier-1', 'EX-ON-ROUTE'],
      ]);
    expect(journey?.contents).toHaveLength(2);
  });

  it('[NOT-47] is that of the declared carrier, whose journey begins again with its first', () => {
    const { events, journey } = recordJourneys([
      received(1, 'EX-DELIVERED', 1), received(2, 'EX-HUB', 2, from('b', by('authorization', 'b'))),
      received(3, 'EX-LOST', 3, by('authorization', 'b')), received(4, 'EX-ON-ROUTE', 4, from('b')),
    ]);
    expect(events.map(({ outcome, carrier, state }) => [outcome, carrier, state?.code])).toEqual([
      ['applied', 'carrier-1', 'EX-DELIVERED'], ['applied', 'b', 'EX-HUB'],
      ['disputed', 'b', 'EX-HUB'], ['applied', 'b', 'EX-ON-ROUTE'],
    ]);
    expect(journey).toMatchObject({ carrier: 'b', owner: { client_id: 'b' } });
  });

  it('[NOT-47] uses the strongest word so far: range, authorization, operator; then the newest', () => {
    const carriers = (...words: readonly ReturnType<typeof by>[]) => recordJourneys(
      words.map((word, offset) => received(offset, 'EX-HUB', offset, word)),
    ).events.map(({ carrier }) => carrier);
    expect(carriers(
      by('range', 'a', 9), by('authorization', 'b', 5), by('range', 'c', 99),
      by('authorization', 'd', 4), by('reassignment', 'e', 1), by('authorization', 'f', 100),
      by('reassignment', 'g', 2),
    )).toEqual(['a', 'b', 'b', 'b', 'e', 'e', 'g']);
  });

  it('[NOT-48] applies what was kept apart once its number is its carrier\'s, each once', () => {
    const reapplies = (offset: number) => ({
      reapplies: { topic_id: 'topic-1', partition: 0, offset }, ...by('reassignment', 'b'),
    });
    const { events, journey } = recordJourneys([
      received(1, 'EX-HUB', 1), received(2, 'EX-CREATED', 2, from('b')),
      received(3, 'EX-DELIVERED', 3, from('b')),
      received(4, 'EX-CREATED', 2, from('b', reapplies(2))),
      received(5, 'EX-CREATED', 2, from('b', reapplies(2))),
      received(6, 'EX-DELIVERED', 3, from('b', reapplies(3))),
    ]);
    expect(events.map(({ outcome, rule, reapplies: of }) => [outcome, rule, of?.offset])).toEqual([
      ['applied', 'first', undefined], ['disputed', 'other_carrier', undefined],
      ['disputed', 'other_carrier', undefined], ['applied', 'first', 2],
      ['duplicate', 'reapplied_before', undefined], ['applied', 'final_code', 3],
    ]);
    expect(journey?.state).toMatchObject({ code: 'EX-DELIVERED', final: true });
  });
});

describe('The journey of a shipment', () => {
  it('[NOT-31] takes the status of each notification in chronological order', () => {
    expect(reported([
      received(1, 'EX-CREATED', 1), received(2, 'EX-HUB', 2), received(3, 'EX-ON-ROUTE', 2),
    ])).toEqual([
      ['applied', 'first', 'created', false],
      ['applied', 'in_order', 'in_transit', false],
      ['applied', 'in_order', 'out_for_delivery', false],
    ]);
  });

  it('[NOT-07] keeps code and carrier code as a pair, also of a code without a status', () => {
    const { events, journey } = recordJourneys([
      received(1, 'EX-HUB', 1), received(2, 'CBT-0201', 2, { carrier_code: 'AG' }),
    ], catalogueOf({ codes: { 'EX-HUB': { status: 'in_transit' } } }));
    expect(events[1]).toMatchObject({ code: 'CBT-0201', carrier_code: 'AG', unmapped: false });
    expect(journey?.state).toMatchObject({
      status: 'in_transit', code: 'CBT-0201', carrier_code: 'AG',
    });
  });

  it('[NOT-36] [NOT-37] ignores everything received after a final status, whatever its date', () => {
    const { events, journey } = recordJourneys([
      received(1, 'EX-HUB', 5), received(2, 'EX-DELIVERED', 9),
      received(3, 'EX-HUB', 1), received(4, 'EX-LOST', 20), received(5, 'EX-DELIVERED', 9),
    ]);
    expect(events.slice(2).map(({ outcome, rule }) => [outcome, rule])).toEqual(
      Array.from({ length: 3 }, () => ['ignored_after_final', 'after_final']),
    );
    expect(journey?.state).toEqual(events[1]?.state);
    expect(events[2]).toMatchObject({
      occurred_at: '2025-11-24T16:01:00.000Z', received_at_ms: 1_765_000_000_003,
    });
  });

  it('[NOT-39] stores what is older than the last applied one without moving back', () => {
    expect(reported([
      received(1, 'EX-ON-ROUTE', 5), received(2, 'EX-HUB', 4), received(3, 'EX-FAILED', 5),
    ])).toEqual([
      ['applied', 'first', 'out_for_delivery', false],
      ['out_of_order', 'older_than_applied', 'out_for_delivery', false],
      ['applied', 'in_order', 'delivery_failed', false],
    ]);
  });

  it('[NOT-40] knows a repeat, also of what was out of order, and changes nothing', () => {
    const { events, journey } = recordJourneys([
      received(1, 'EX-ON-ROUTE', 5), received(2, 'EX-HUB', 4),
      received(3, 'EX-ON-ROUTE', 5), received(4, 'EX-HUB', 4),
    ]);
    expect(events.map(({ outcome }) => outcome))
      .toEqual(['applied', 'out_of_order', 'duplicate', 'duplicate']);
    expect(journey?.state).toEqual(events[0]?.state);
  });

  it('[NOT-42] ends with a final code even when its date is older', () => {
    expect(reported([received(1, 'EX-HUB', 9), received(2, 'EX-RETURNED', 1)])[1])
      .toEqual(['applied', 'final_code', 'returned', true]);
  });

  it('[NOT-34] applies an unknown code as unmapped, never final, and keeps the status', () => {
    const { events } = recordJourneys([received(1, 'EX-HUB', 1), received(2, 'delivered', 2)]);
    expect(events[1]).toMatchObject({
      outcome: 'applied', unmapped: true,
      state: { status: 'in_transit', code: 'delivered', final: false },
    });
  });

  it('[NOT-44] takes a pair outside the list of a carrier as unmapped; others have no list', () => {
    const strict = { client_id: 'strict-carrier' };
    const { events } = recordJourneys([
      received(1, 'EX-HUB', 1, { ...strict, carrier_code: 'H1' }),
      received(2, 'EX-HUB', 2, { ...strict, carrier_code: 'H9' }),
      received(3, 'EX-DELIVERED', 3, strict),
      received(4, 'EX-HUB', 4, { carrier_code: 'H9' }),
    ]);
    expect(events.map(({ unmapped }) => unmapped)).toEqual([false, true, true, false]);
    expect(events[2]?.state?.final).toBe(false);
  });

  it('classifies a notification only once', () => {
    const { events, journey } = recordJourneys([received(1, 'EX-HUB', 1), received(2, 'EX-LOST', 2)]);
    const replayed = events.reduce(evolveJourney, journey);
    expect(replayed).toBe(journey);
  });

  it('starts over with the record ids of a recreated topic', () => {
    const { events, journey } = recordJourneys([received(7, 'EX-HUB', 1)]);
    const recreated = { topic_id: 'topic-2', partition: 0, offset: 0 };
    const event = { ...events[0]!, notification: recreated };
    expect(evolveJourney(journey, event)?.last_notification).toEqual(recreated);
  });

  it('remembers a bounded number of contents', () => {
    const all = Array.from(
      { length: CONTENTS_MAX + 5 }, (_, at) => received(at, 'EX-HUB', at),
    );
    expect(recordJourneys(all).journey?.contents).toHaveLength(CONTENTS_MAX);
  });

  it('explains every rule', () => {
    expect(Object.keys(JOURNEY_RULES)).toHaveLength(8);
    for (const { explanation } of Object.values(JOURNEY_RULES)) expect(explanation).toMatch(/\.$/);
  });
});

describe('The moment of a date-time', () => {
  it.each([
    ['2026-11-20T10:15:00Z', '2026-11-20T10:15:00.000Z'],
    ['2026-11-20T10:15:00.1239-03:00', '2026-11-20T13:15:00.123Z'],
    ['2026-11-20t10:15:00+0530', '2026-11-20T04:45:00.000Z'],
    ['2026-11-20T10:15:00.5+03', '2026-11-20T07:15:00.500Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
  ])('of %s is %s', (text, moment) => {
    expect(new Date(epochMsOf(text) ?? Number.NaN).toISOString()).toBe(moment);
  });

  it('of anything else is unknown', () => {
    expect(epochMsOf('20 November')).toBeUndefined();
  });
});

describe('What was long ago', () => {
  const later = (ms: number) => received(9, 'EX-HUB', 9, { received_at_ms: FIRST_MS + ms });
  const FIRST_MS = received(1, 'EX-DELIVERED', 1).received_at_ms;

  it('[GEN-67] counts for 400 days after the last notification, by the times of the log', () => {
    const delivered = received(1, 'EX-DELIVERED', 1);
    const rules = (ms: number) => recordJourneys([delivered, later(ms)]).events.map(
      ({ rule }) => rule,
    );
    expect(rules(HISTORY_MS - 1)).toEqual(['final_code', 'after_final']);
    expect(rules(HISTORY_MS)).toEqual(['final_code', 'first']);
  });

  it('[GEN-67] begins again without the contents, the owner and the state of then', () => {
    const { journey } = recordJourneys([
      received(1, 'EX-HUB', 1, by('authorization', 'carrier-1')), later(HISTORY_MS),
    ]);
    expect(journey?.contents).toHaveLength(1);
    expect(journey?.owner).toBeUndefined();
    expect(journey?.received_at_ms).toBe(FIRST_MS + HISTORY_MS);
  });

  it('[GEN-67] keeps no contents past a final status: nothing is compared there', () => {
    const { journey, events } = recordJourneys([
      received(1, 'EX-HUB', 1), received(2, 'EX-DELIVERED', 2), received(3, 'EX-HUB', 1),
    ]);
    expect(events.map(({ rule }) => rule)).toEqual(['first', 'final_code', 'after_final']);
    expect(journey?.contents).toEqual([]);
  });
});
