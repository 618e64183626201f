import type { LogRecord } from '../../../services/kernel/record-log.ts';
import type { NaiveZone } from '../../support/naive-visits.ts';
import { record } from '../clickhouse/history.ts';
import type { TestTrack } from './test-track.ts';

const CAR = 'track_1';
const RADIUS_M = 2_000;

/** Zones about the first and last place of a car, and a box about Austin, where buses drive. */
export function zonesOf(tracks: readonly TestTrack[], startTs: number): readonly NaiveZone[] {
  const fixes = tracks.find(({ device }) => device === CAR)?.fixes ?? [];
  const from = startTs - 86_400;
  const about = (zone_id: string, at: number): NaiveZone => {
    const { latitude = 0, longitude = 0 } = fixes.at(at) ?? {};
    return {
      zone_id, version: 1, state: 'active', from, circle: { latitude, longitude, radius_m: RADIUS_M },
    };
  };
  return [about('home', 0), about('work', -1), {
    zone_id: 'austin', version: 1, state: 'active', from,
    polygons: [[[[-98, 30.2], [-97.5, 30.2], [-97.5, 30.5], [-98, 30.5], [-98, 30.2]]]],
  }];
}

/** Versions of zones as the log has them. */
export function zoneRecords(zones: readonly NaiveZone[]): readonly LogRecord[] {
  return zones.map(({ from, to, ...zone }) => record(
    'platform.zones.v1', `${zone.zone_id}|${zone.version}`, {
      type: 'ZoneRecorded', ...zone, name: zone.zone_id.toUpperCase(), kind: 'yard',
      owner: 'acme', valid_from_ms: from * 1_000,
      ...(to === undefined ? {} : { valid_to_ms: to * 1_000 }), at_ms: 1,
    },
  ));
}
