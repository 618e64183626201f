import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import { chooseFix } from '../../../kernel/choose-fix.ts';
import { isText, isWhole, parseFields } from '../../../kernel/json-fields.ts';
import { LAST_FIX_LIMITS } from '../../../kernel/plausible-fix.ts';
import { isDecoded, type LogRecord, type UndecodableRecord } from '../../../kernel/record-log.ts';
import type { Fleets } from './fleets.ts';

/** The topics that decide what is on the map. */
export const FIX_TOPICS: readonly string[] = [
  TOPICS.deviceLifecycle.name, TOPICS.erasedTracks.name, TOPICS.locations.name,
];

/**
 * Puts on the map what a record says of it, by the rule of the projector (`chooseFix`). What cannot
 * be read is left out here: a worker makes a dead letter of it.
 */
export function applyToFleets(fleets: Fleets, record: LogRecord | UndecodableRecord): void {
  if (!isDecoded(record)) return;
  if (record.topic === TOPICS.locations.name) {
    const offer = chooseFix(LAST_FIX_LIMITS, record);
    if (offer !== undefined && offer !== 'none') fleets.offer(offer);
    return;
  }
  const fact = parseFields(record.value);
  const deviceId = fact?.['device_id'];
  if (!isText(deviceId)) return;
  if (fact?.['type'] === 'DeviceTrackingStopped') fleets.stop(deviceId);
  const untilMs = fact?.['received_until_ms'];
  if (fact?.['type'] === 'TrackErased' && isWhole(untilMs)) fleets.erase(deviceId, untilMs);
}
