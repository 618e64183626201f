import { evolveJourney } from '../../domain/journey/projection.ts';
import type { JourneyRecorded, ShipmentStates } from '../../kernel/shipments.ts';
import type { ApplyRecords, Outcome } from '../common/outcomes.ts';
import { deadLetterOutcome, type ReadRecord } from '../common/read-record.ts';

/**
 * Folds recorded outcomes into the state store again, for the rebuild. It classifies nothing, so a
 * newer catalogue never changes what has happened.
 */
export function createJourneyApplier(
  shipments: Pick<ShipmentStates, 'loadJourneys' | 'putJourneys'>, readRecord: ReadRecord,
): ApplyRecords {
  const read = readRecord('journey');
  return async function applyJourneyRecords(records) {
    const events: JourneyRecorded[] = [];
    const outcomes = records.map((record): Outcome => {
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      events.push(reading.value);
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
