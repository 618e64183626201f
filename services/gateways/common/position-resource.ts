import type {
  DevicePosition, PlatformPosition, TraceablePosition,
} from '../../../schemas/generated/types.ts';
import type { Clock } from '../../kernel/clock.ts';
import { countryCodeOf, type Countries } from '../../kernel/countries.ts';
import type { LastFix } from '../../kernel/fixes.ts';
import type { TraceableFix as StoredTraceable } from '../../kernel/traceables.ts';

/** What showing a position needs: its age, and the canonical code of its country. */
export interface PositionView {
  readonly clock: Clock;
  readonly countries: Countries;
}

/** The last position of a device as callers see it; what the device did not report is left out. */
export function devicePosition(fix: LastFix, view: PositionView): DevicePosition {
  const { speed, bearing, ignition } = fix;
  return {
    device_id: fix.device_id,
    ...fixOf(fix, view),
    ...(speed === undefined ? {} : { speed }),
    ...(bearing === undefined ? {} : { bearing }),
    ...(ignition === undefined ? {} : { ignition }),
    ...originOf(fix, view),
  };
}

/** The last position of a device of any client as the platform sees it. */
export function platformPosition(fix: LastFix, view: PositionView): PlatformPosition {
  return { ...devicePosition(fix, view), client_id: fix.client_id };
}

/** The last position of a traceable as callers see it. */
export function traceablePosition(fix: StoredTraceable, view: PositionView): TraceablePosition {
  const { bearing } = fix;
  return {
    traceable: { type: fix.traceable_type, id: fix.traceable_id },
    device: { external_id: fix.external_id, external_type: fix.external_type },
    ...fixOf(fix, view),
    ...(bearing === undefined ? {} : { bearing }),
    ...originOf(fix, view),
  };
}

type Fix = Pick<
  LastFix,
  'timestamp' | 'latitude' | 'longitude' | 'country_id' | 'provider' | 'received_at_ms'
>;

function fixOf(
  { timestamp, latitude, longitude, country_id }: Fix, { countries }: PositionView,
): Pick<DevicePosition, 'timestamp' | 'latitude' | 'longitude' | 'country_id' | 'country_code'> {
  const country_code = countryCodeOf(countries, country_id) ?? country_id.toUpperCase();
  return { timestamp, latitude, longitude, country_id, country_code };
}

function originOf(
  { timestamp, provider, received_at_ms }: Fix, { clock }: PositionView,
): Pick<DevicePosition, 'provider' | 'received_at' | 'age_seconds'> {
  return {
    provider,
    received_at: new Date(received_at_ms).toISOString(),
    age_seconds: Math.max(0, Math.floor(clock.nowMs() / 1_000) - timestamp),
  };
}
