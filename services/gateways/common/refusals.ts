import type { Answer } from '../../kernel/http.ts';

/** The answer for a device that does not exist, or is another client's: the very same. */
export function noSuchDevice(): Answer {
  return { kind: 'refusal', code: 'device_not_found', detail: 'The caller has no such device.' };
}

/** The answer for a shipment of which nothing is known. */
export function noSuchShipment(): Answer {
  return { kind: 'refusal', code: 'shipment_not_found', detail: 'There is no such shipment.' };
}

// A record is in the ledger within seconds of its acceptance.
const LEDGER_RETRY_AFTER_SECONDS = 2;

/** The answer for a call that is unknown, another client's, or not in the ledger yet. */
export function noSuchIngest(): Answer {
  return {
    kind: 'refusal', code: 'ingest_not_found', detail: 'Nothing is known of such a call.',
    retryAfterSeconds: LEDGER_RETRY_AFTER_SECONDS,
  };
}

/** The answer where the log holds no plausible fix. */
export function noPosition(): Answer {
  return { kind: 'refusal', code: 'position_not_found', detail: 'No position of it is known.' };
}
