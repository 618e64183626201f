import base from '../../schemas/data/notification-codes.json' with { type: 'json' };
import sample from '../../schemas/data/notification-codes.sample.json' with { type: 'json' };
import { decideJourney, type ReceivedNotification } from '../../services/domain/journey/journey.ts';
import { evolveJourney } from '../../services/domain/journey/projection.ts';
import { cataloguesOf } from '../../services/domain/journey/read-catalogue.ts';
import type { CodeCatalogue } from '../../services/domain/journey/catalogue.ts';
import type { NotificationCodesRecorded } from '../../services/kernel/notification-codes.ts';
import type { Codes } from '../../services/workers/journey/codes.ts';
import type { JourneyRecorded, ShipmentJourney } from '../../services/kernel/shipments.ts';

/** The catalogue of a version of the log. */
export function catalogueOf(
  recorded: Partial<NotificationCodesRecorded>, version = 1,
): CodeCatalogue {
  const [first, own = first] = cataloguesOf(base, [{
    version,
    recorded: {
      type: 'NotificationCodesRecorded', codes_id: `v${version}`, name: 'test', codes: {},
      valid_from_ms: 0, lead_ms: 0, at_ms: 0, ...recorded,
    },
    appendedAtMs: 0,
  }]);
  return own;
}

/** The sample of the sandbox, with the pairs of one carrier. */
export const CATALOGUE: CodeCatalogue = catalogueOf({
  name: sample.name, sample: true, codes: sample.codes,
  carriers: { 'strict-carrier': { 'EX-HUB': ['H1', 'H2'] } },
});

/** A catalogue that never changes, as a worker asks for it. */
export const SAMPLE_CODES: Codes = {
  poll: async () => undefined, refresh: async () => undefined, at: () => CATALOGUE,
};

/** A received notification; `minute` is its own time, `offset` its place in the log. */
export function received(
  offset: number, code: string, minute: number, more: Partial<ReceivedNotification> = {},
): ReceivedNotification {
  const occurred_at_ms = 1_764_000_000_000 + minute * 60_000;
  return {
    tracking_number: 'RST1',
    client_id: 'carrier-1',
    ingest_id: `call-${offset}`,
    source: 'push',
    notification: { topic_id: 'topic-1', partition: 0, offset },
    code,
    carrier_code: 'X',
    occurred_at: new Date(occurred_at_ms).toISOString(),
    occurred_at_ms,
    received_at_ms: 1_765_000_000_000 + offset,
    content_hash: `${code}-${minute}`.padEnd(64, '.'),
    payload: {},
    ...more,
  };
}

/** Records the journey of notifications one after the other, as the log holds them. */
export function recordJourneys(
  all: readonly ReceivedNotification[], catalogue: CodeCatalogue = CATALOGUE,
): { readonly journey: ShipmentJourney | undefined; readonly events: readonly JourneyRecorded[] } {
  let journey: ShipmentJourney | undefined;
  const events = all.map((each) => {
    const event = decideJourney(catalogue, journey, each);
    journey = evolveJourney(journey, event);
    return event;
  });
  return { journey, events };
}
