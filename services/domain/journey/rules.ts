import type { JourneyRecorded } from '../../kernel/shipments.ts';

/** The name of a rule by which a notification was classified. */
export type JourneyRule = JourneyRecorded['rule'];

interface RuleRow {
  readonly outcome: JourneyRecorded['outcome'];
  readonly explanation: string;
}

/**
 * The rules of decisions.md ("Whose shipment", "After a final status", "Out of order", "Later") in
 * the order in which they are asked; the first that fits decides.
 */
export const JOURNEY_RULES: Readonly<Record<JourneyRule, RuleRow>> = {
  reapplied_before: {
    outcome: 'duplicate',
    explanation: 'It was kept apart, and applied after its number was given to its carrier.',
  },
  other_carrier: {
    outcome: 'disputed',
    explanation: 'Its number is another carrier\'s, so it is kept apart until an operator decides.',
  },
  after_final: {
    outcome: 'ignored_after_final',
    explanation: 'It was received after a final status, so it changes nothing, whatever its date.',
  },
  repeated_content: {
    outcome: 'duplicate',
    explanation: 'The same codes and content were received before, so it changes nothing.',
  },
  final_code: {
    outcome: 'applied',
    explanation: 'Its code is final, so it ends the shipment, whatever its date.',
  },
  first: {
    outcome: 'applied',
    explanation: 'It is the first of the shipment that is applied.',
  },
  older_than_applied: {
    outcome: 'out_of_order',
    explanation: 'Its date is older than that of the last applied one; the status does not go back.',
  },
  in_order: {
    outcome: 'applied',
    explanation: 'It is not older than the last applied one, so the shipment takes its status.',
  },
};
