import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import { chooseFix } from '../../../kernel/choose-fix.ts';
import { isText, isWhole, parseFields } from '../../../kernel/json-fields.ts';
import { LAST_FIX_LIMITS } from '../../../kernel/plausible-fix.ts';
import { overflowFold, type GrowingOverflow } from '../../../kernel/read-overflow.ts';
import { isDecoded, type LogRecord, type UndecodableRecord } from '../../../kernel/record-log.ts';
import type { Fleets } from './fleets.ts';

/** The topics that the projector puts into the state store, from which the map begins. */
export const PROJECTED_TOPICS: readonly string[] = [
  TOPICS.deviceLifecycle.name, TOPICS.erasedTracks.name, TOPICS.locations.name,
];

/** The topics that decide what is on the map. */
export const FIX_TOPICS: readonly string[] = [...PROJECTED_TOPICS, TOPICS.overflow.name];

/** A device that was stopped, and when. */
export interface DeviceStop {
  readonly deviceId: string;
  readonly clientId: string;
  readonly atMs: number;
}

/** The stop that a record of the lifecycle is; undefined for any other. */
export function stopIn({ value, timestampMs }: LogRecord): DeviceStop | undefined {
  const { type, device_id: deviceId, client_id: clientId, at_ms: atMs } = parseFields(value) ?? {};
  if (type !== 'DeviceTrackingStopped' || !isText(deviceId) || !isText(clientId)) return undefined;
  return { deviceId, clientId, atMs: isWhole(atMs) ? atMs : timestampMs };
}

/**
 * Puts on the map what a record says of it, by the rule of the projector (`chooseFix`). What cannot
 * be read is left out here: a worker makes a dead letter of it.
 */
export function applyToFleets(
  fleets: Fleets, overflow: GrowingOverflow, record: LogRecord | UndecodableRecord,
): void {
  if (!isDecoded(record)) return;
  switch (record.topic) {
    case TOPICS.locations.name: {
      const offer = chooseFix(LAST_FIX_LIMITS, record);
      if (offer !== undefined && offer !== 'none') fleets.offer(offer);
      return;
    }
    case TOPICS.overflow.name:
      overflowFold.add(overflow, record);
      return;
    case TOPICS.deviceLifecycle.name: {
      const stop = stopIn(record);
      if (stop !== undefined) fleets.stop(stop.deviceId, stop.atMs);
      return;
    }
    default: {
      const fact = parseFields(record.value) ?? {};
      const { type, device_id: deviceId, received_until_ms: untilMs } = fact;
      if (type === 'TrackErased' && isText(deviceId) && isWhole(untilMs)) {
        fleets.erase(deviceId, untilMs);
      }
    }
  }
}
