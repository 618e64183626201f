import { isNewer } from '../../../domain/fix/is-newer.ts';
import type { Digest } from '../../../kernel/digest.ts';
import type { DriverErased, ErasedDriverStates } from '../../../kernel/erased-drivers.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import type { TraceableOffer, TraceableFixes } from '../../../kernel/traceables.ts';
import {
  poisoned, unreadable, type ApplyRecords, type Outcome,
} from '../../common/outcomes.ts';
import type { FixConfig } from '../../../kernel/plausible-fix.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';
import { withoutErasedDrivers } from '../../common/without-erased-drivers.ts';
import { chooseFixes, traceableName } from './choose-fixes.ts';

/** What applying posts of deliveries takes. */
export interface DeliveryTargets {
  readonly traceables: Pick<TraceableFixes, 'offer' | 'forget'>;
  readonly erasedDrivers: ErasedDriverStates;
  readonly digest: Digest;
}

/** Applies erasures of drivers; any order ends in the same state. */
export function createDriverErasureApplier(
  { traceables, erasedDrivers }: Pick<DeliveryTargets, 'traceables' | 'erasedDrivers'>,
  readRecord: ReadRecord,
): ApplyRecords {
  const read = readRecord('erasedDrivers');
  return async function applyDriverErasures(records) {
    const facts: DriverErased[] = [];
    const outcomes = records.map((record): Outcome => {
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      facts.push(reading.value);
      return { kind: 'applied', record };
    });
    if (facts.length === 0) return outcomes;
    // The positions go last: what is offered from now on is not taken.
    await erasedDrivers.add(facts);
    await traceables.forget(facts.flatMap((fact) => (fact.traceables ?? []).map(({ type, id }) => ({
      client_id: fact.client_id, traceable_type: type, traceable_id: id,
      received_until_ms: fact.received_until_ms,
    }))));
    return outcomes;
  };
}

/** Offers the newest plausible fix of each traceable in a batch as its last position. */
export function createDeliveryApplier(
  config: FixConfig, { traceables, erasedDrivers, digest }: DeliveryTargets,
): ApplyRecords {
  return async function applyDeliveryRecords(records) {
    const newest = new Map<string, TraceableOffer>();
    const clients = new Set(records.flatMap(({ headers }) => headers['client'] ?? []));
    const erased = await erasedDrivers.of([...clients]);
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) {
        return deadLetterOutcome(record, unreadable(record, 'not in the wire format'));
      }
      const left = withoutErasedDrivers(record, erased, digest);
      if (left === undefined) return { kind: 'ignored', record };
      const offers = chooseFixes(config, left);
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
