import type {
  DevicePosition, PlatformPosition, TraceablePosition,
} from '../../../schemas/generated/types.ts';
import type { LastFix } from '../../kernel/fixes.ts';
import type { TraceableFix as StoredTraceable } from '../../kernel/traceables.ts';

/** The last position of a device as callers see it; what the device did not report is left out. */
export function devicePosition(fix: LastFix, nowMs: number): DevicePosition {
  const { speed, bearing, ignition } = fix;
  return {
    device_id: fix.device_id,
    ...fixOf(fix),
    ...(speed === undefined ? {} : { speed }),
    ...(bearing === undefined ? {} : { bearing }),
    ...(ignition === undefined ? {} : { ignition }),
    ...originOf(fix, nowMs),
  };
}

/** The last position of a device of any client as the platform sees it. */
export function platformPosition(fix: LastFix, nowMs: number): PlatformPosition {
  return { ...devicePosition(fix, nowMs), client_id: fix.client_id };
}

/** The last position of a traceable as callers see it. */
export function traceablePosition(fix: StoredTraceable, nowMs: number): TraceablePosition {
  const { bearing } = fix;
  return {
    traceable: { type: fix.traceable_type, id: fix.traceable_id },
    device: { external_id: fix.external_id, external_type: fix.external_type },
    ...fixOf(fix),
    ...(bearing === undefined ? {} : { bearing }),
    ...originOf(fix, nowMs),
  };
}

type Fix = Pick<
  LastFix,
  'timestamp' | 'latitude' | 'longitude' | 'country_id' | 'provider' | 'received_at_ms'
>;

function fixOf(
  { timestamp, latitude, longitude, country_id }: Fix,
): Pick<DevicePosition, 'timestamp' | 'latitude' | 'longitude' | 'country_id'> {
  return { timestamp, latitude, longitude, country_id };
}

function originOf(
  { timestamp, provider, received_at_ms }: Fix, nowMs: number,
): Pick<DevicePosition, 'provider' | 'received_at' | 'age_seconds'> {
  return {
    provider,
    received_at: new Date(received_at_ms).toISOString(),
    age_seconds: Math.max(0, Math.floor(nowMs / 1_000) - timestamp),
  };
}
