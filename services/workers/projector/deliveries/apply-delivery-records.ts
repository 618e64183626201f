import { isNewer } from '../../../domain/fix/is-newer.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import type { TraceableOffer, TraceableFixes } from '../../../kernel/traceables.ts';
import {
  poisoned, unreadable, type ApplyRecords, type Outcome,
} from '../../common/outcomes.ts';
import type { FixConfig } from '../../common/plausible-fix.ts';
import { deadLetterOutcome } from '../../common/read-record.ts';
import { chooseFixes, traceableName } from './choose-fixes.ts';

/** Offers the newest plausible fix of each traceable in a batch as its last position. */
export function createDeliveryApplier(
  config: FixConfig, traceables: Pick<TraceableFixes, 'offer'>,
): ApplyRecords {
  return async function applyDeliveryRecords(records) {
    const newest = new Map<string, TraceableOffer>();
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) {
        return deadLetterOutcome(record, unreadable(record, 'not in the wire format'));
      }
      const offers = chooseFixes(config, record);
      if (offers === undefined) {
        return poisoned(record, 'record_invalid', 'not a post of deliveries with its headers');
      }
      for (const offer of offers) {
        const name = `${offer.client_id} ${nameOf(offer)}`;
        const known = newest.get(name);
        if (isNewer(offer, known)) newest.set(name, offer);
      }
      return { kind: offers.length === 0 ? 'ignored' : 'applied', record };
    });
    if (newest.size > 0) await traceables.offer([...newest.values()]);
    return outcomes;
  };
}

function nameOf({ traceable_type, traceable_id }: TraceableOffer): string {
  return traceableName({ type: traceable_type, id: traceable_id });
}
