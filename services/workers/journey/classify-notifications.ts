import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { decideJourney, type ReceivedNotification } from '../../domain/journey/journey.ts';
import { evolveJourney, isKnown } from '../../domain/journey/projection.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import type { JourneyRecorded, ShipmentJourney, ShipmentStates } from '../../kernel/shipments.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { ApplyRecords, Outcome } from '../common/outcomes.ts';
import { deadLetterOutcome, type ReadRecord } from '../common/read-record.ts';
import type { Codes } from './codes.ts';
import { createNotificationReader } from './read-notification.ts';

/** Settings of classifying. */
export interface ClassifyNotificationsConfig {
  /** How long the appends of one batch may take, in milliseconds. */
  readonly appendMsMax: number;
}

/** What classifying works with. */
export interface ClassifyNotificationsPorts {
  readonly shipments: Pick<ShipmentStates, 'loadJourneys' | 'putJourneys'>;
  readonly log: RecordLog;
  readonly codes: Codes;
  readonly digest: Digest;
  readonly readRecord: ReadRecord;
  readonly clock: Clock;
  readonly signals: Signals;
}

/**
 * Classifies notifications in the order of the log. Outcomes go into the log first, then into the
 * state store. So a journey in the store never knows more than the log, and the store can be
 * rebuilt from it. After a crash the same notifications get the same outcomes again.
 */
export function createNotificationClassifier(
  config: ClassifyNotificationsConfig, ports: ClassifyNotificationsPorts,
  read = createNotificationReader(ports.readRecord, ports.digest),
): ApplyRecords {
  return async function classifyNotifications(records) {
    const received: ReceivedNotification[] = [];
    const outcomes = records.map((record): Outcome => {
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      received.push(reading.value);
      return { kind: 'applied', record };
    });
    const numbers = [...new Set(received.map(({ tracking_number }) => tracking_number))];
    if (numbers.length === 0) return outcomes;
    await ports.codes.refresh();
    const journeys = new Map(await ports.shipments.loadJourneys(numbers, true));
    const events = classifyAll(ports.codes, journeys, received);
    await appendAll(config, ports, events);
    await ports.shipments.putJourneys(journeys);
    count(ports.signals, events);
    return outcomes;
  };
}

/** Classifies one after the other and leaves each shipment's journey after them in `journeys`. */
function classifyAll(
  codes: Codes, journeys: Map<string, ShipmentJourney>,
  received: readonly ReceivedNotification[],
): readonly JourneyRecorded[] {
  const events: JourneyRecorded[] = [];
  for (const notification of received) {
    const { tracking_number } = notification;
    const journey = journeys.get(tracking_number);
    if (journey !== undefined && isKnown(journey, notification.notification)) continue;
    const event = decideJourney(codes.at(notification.received_at_ms), journey, notification);
    journeys.set(tracking_number, evolveJourney(journey, event));
    events.push(event);
  }
  return events;
}

/** Side by side for different shipments, one after the other for the same. */
async function appendAll(
  config: ClassifyNotificationsConfig, ports: ClassifyNotificationsPorts,
  events: readonly JourneyRecorded[],
): Promise<void> {
  const deadlineMs = ports.clock.nowMs() + config.appendMsMax;
  const shipments = Map.groupBy(events, ({ tracking_number }) => tracking_number);
  const endings = await Promise.allSettled([...shipments.values()].map(async (own) => {
    for (const event of own) {
      await ports.log.append({
        topic: TOPICS.journey.name,
        key: event.tracking_number,
        value: Buffer.from(JSON.stringify(event)),
        headers: {
          'ingest-id': event.ingest_id,
          'received-at': String(event.received_at_ms),
          client: event.client_id,
        },
      }, deadlineMs);
    }
  }));
  for (const ending of endings) if (ending.status === 'rejected') throw ending.reason;
}

function count(signals: Signals, events: readonly JourneyRecorded[]): void {
  for (const { outcome, unmapped } of events) {
    signals.notificationClassified({ outcome, unmapped });
  }
}
