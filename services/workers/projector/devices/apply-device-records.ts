import { isNewer } from '../../../domain/fix/is-newer.ts';
import type { DeviceEvent, DeviceStates } from '../../../kernel/devices.ts';
import type { TrackErased } from '../../../kernel/erased-tracks.ts';
import type { RecordId } from '../../../kernel/record-id.ts';
import type { FixOffer, LastFixes } from '../../../kernel/fixes.ts';
import { isDecoded } from '../../../kernel/record-log.ts';
import {
  poisoned, unreadable, type ConsumedRecord, type ApplyRecords, type Outcome,
} from '../../common/outcomes.ts';
import type { FixConfig } from '../../../kernel/plausible-fix.ts';
import { deadLetterOutcome, type ReadRecord } from '../../common/read-record.ts';
import { chooseFix } from '../../../kernel/choose-fix.ts';

/** Applies registrations, starts and stops; any order ends in the same state. */
export function createLifecycleApplier(
  devices: DeviceStates, readRecord: ReadRecord,
): ApplyRecords {
  const read = readRecord('deviceLifecycle');
  return async function applyLifecycleRecords(records) {
    const facts: { event: DeviceEvent; recordId: RecordId }[] = [];
    const outcomes = records.map((record): Outcome => {
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      facts.push({ event: reading.value, recordId: recordIdOf(record) });
      return { kind: 'applied', record };
    });
    if (facts.length > 0) await devices.apply(facts);
    return outcomes;
  };
}

/** Applies erasures of positions; any order ends in the same state. */
export function createErasureApplier(
  lastFixes: Pick<LastFixes, 'erase'>, readRecord: ReadRecord,
): ApplyRecords {
  const read = readRecord('erasedTracks');
  return async function applyErasures(records) {
    const tracks: TrackErased[] = [];
    const outcomes = records.map((record): Outcome => {
      const reading = read(record);
      if (!reading.ok) return deadLetterOutcome(record, reading.poison);
      tracks.push(reading.value);
      return { kind: 'applied', record };
    });
    if (tracks.length > 0) await lastFixes.erase(tracks);
    return outcomes;
  };
}

/** Offers the newest plausible fix of each device in a batch as its last position. */
export function createFixApplier(
  config: FixConfig, lastFixes: LastFixes,
): ApplyRecords {
  return async function applyFixRecords(records) {
    const newest = new Map<string, FixOffer>();
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) {
        return deadLetterOutcome(record, unreadable(record, 'not in the wire format'));
      }
      const offer = chooseFix(config, record);
      if (offer === undefined) {
        return poisoned(record, 'record_invalid', 'not a post of locations with its headers');
      }
      if (offer === 'none') return { kind: 'ignored', record };
      const known = newest.get(offer.device_id);
      if (isNewer(offer, known)) newest.set(offer.device_id, offer);
      return { kind: 'applied', record };
    });
    if (newest.size > 0) await lastFixes.offer([...newest.values()]);
    return outcomes;
  };
}

function recordIdOf({ topicId, partition, offset }: ConsumedRecord): RecordId {
  return { topicId, partition, offset };
}
