import { isNewer } from '../../../domain/fix/is-newer.ts';
import type { DeviceEvent, DeviceStates } from '../../../kernel/devices.ts';
import type { RecordId } from '../../../kernel/record-id.ts';
import type { PositionOffer, PositionStates } from '../../../kernel/positions.ts';
import { isDecoded, type LogRecord } from '../../../kernel/record-log.ts';
import { poisoned, type ApplyRecords, type Outcome } from '../../common/outcomes.ts';
import type { PositionConfig } from '../../common/plausible-fix.ts';
import { choosePosition } from './choose-position.ts';
import { readDeviceFact } from './read-device-fact.ts';

/** Applies registrations, starts and stops; any order ends in the same state. */
export function createLifecycleApplier(devices: DeviceStates): ApplyRecords {
  return async function applyLifecycleRecords(records) {
    const facts: { event: DeviceEvent; position: RecordId }[] = [];
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) return poisoned(record, 'undecodable', 'not in the wire format');
      const event = readDeviceFact(record);
      if (event === undefined) {
        return poisoned(record, 'record_invalid', 'not a fact about a device');
      }
      facts.push({ event, position: placeOf(record) });
      return { kind: 'applied', record };
    });
    if (facts.length > 0) await devices.apply(facts);
    return outcomes;
  };
}

/** Offers the newest plausible fix of each device in a batch as its last position. */
export function createPositionApplier(
  config: PositionConfig, positions: PositionStates,
): ApplyRecords {
  return async function applyPositionRecords(records) {
    const newest = new Map<string, PositionOffer>();
    const outcomes = records.map((record): Outcome => {
      if (!isDecoded(record)) return poisoned(record, 'undecodable', 'not in the wire format');
      const offer = choosePosition(config, record);
      if (offer === undefined) {
        return poisoned(record, 'record_invalid', 'not a post of locations with its headers');
      }
      if (offer === 'none') return { kind: 'ignored', record };
      const known = newest.get(offer.device_id);
      if (isNewer(offer, known)) newest.set(offer.device_id, offer);
      return { kind: 'applied', record };
    });
    if (newest.size > 0) await positions.offer([...newest.values()]);
    return outcomes;
  };
}

function placeOf({ topicId, partition, offset }: LogRecord): RecordId {
  return { topicId, partition, offset };
}
