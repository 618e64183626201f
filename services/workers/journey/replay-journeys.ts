import { evolveJourney } from '../../domain/journey/projection.ts';
import { isDecoded } from '../../kernel/record-log.ts';
import type { JourneyRecorded, ShipmentStates } from '../../kernel/shipments.ts';
import { all, isFields, isText, parseFields } from '../../kernel/json-fields.ts';
import { poisoned, type ApplyRecords, type Outcome } from '../common/outcomes.ts';

/**
 * Folds what was judged into the state store again: for the rebuild. Nothing is judged anew, so a
 * newer catalogue never changes what has happened.
 */
export function createJourneyApplier(
  shipments: Pick<ShipmentStates, 'loadJourneys' | 'putJourneys'>,
): ApplyRecords {
  return async function applyJourneyRecords(records) {
    const events: JourneyRecorded[] = [];
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) return poisoned(record, 'undecodable', 'not in the wire format');
      const event = parseFields(record.value);
      if (event?.['type'] !== 'JourneyRecorded' || !isFields(event['notification'])
        || !all(event, ['tracking_number', 'carrier', 'content_hash'], isText)) {
        return poisoned(record, 'record_invalid', 'not a judged notification');
      }
      events.push(event as unknown as JourneyRecorded);
      return { kind: 'applied', record };
    });
    const numbers = [...new Set(events.map(({ tracking_number }) => tracking_number))];
    if (numbers.length === 0) return outcomes;
    const journeys = new Map(await shipments.loadJourneys(numbers, false));
    for (const event of events) {
      const { tracking_number } = event;
      journeys.set(tracking_number, evolveJourney(journeys.get(tracking_number), event));
    }
    await shipments.putJourneys(journeys);
    return outcomes;
  };
}
