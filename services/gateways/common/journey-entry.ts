import type { JourneyEntry } from '../../../schemas/generated/types.ts';
import { JOURNEY_RULES } from '../../domain/journey/rules.ts';
import type { JourneyRecorded } from '../../kernel/shipments.ts';

/** The outcome of a notification as readers of a journey see it; it shows no personal data. */
export function journeyEntry(recorded: JourneyRecorded): JourneyEntry {
  const { status_before, state, rule } = recorded;
  return {
    code: recorded.code,
    carrier_code: recorded.carrier_code,
    occurred_at: recorded.occurred_at,
    received_at_ms: recorded.received_at_ms,
    outcome: recorded.outcome,
    rule,
    unmapped: recorded.unmapped,
    ...(recorded.lacks === undefined ? {} : { lacks: recorded.lacks }),
    ...(status_before === undefined ? {} : { status_before }),
    explanation: JOURNEY_RULES[rule].explanation,
    ...(state === undefined ? {} : { state }),
    ingest_id: recorded.ingest_id,
    source: recorded.source,
  };
}
