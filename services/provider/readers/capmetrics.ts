import type { LocationFix } from '../../../schemas/generated/types.ts';
import { createTrackCollector, type TrackReader } from './track.ts';
import { readInstant, readNumber, readRows, roundConverted } from './values.ts';

const KMH_PER_MPH = 1.609344;
const KMH_PER_MS = 3.6;
/** From this file on the origin's speeds are m/s; before it they are best read as mph. */
const FIRST_FILE_IN_MS = '2015-12-01';

type Metadata = NonNullable<LocationFix['metadata']>;

/**
 * Bus positions of Austin, one track per vehicle. Rows are grouped by trip at the origin, so a
 * vehicle's track holds real back steps; rows at 0,0 and at 255 mph stay as they are.
 */
export const readCapmetrics: TrackReader = (text, name) => {
  const collector = createTrackCollector('capmetrics', 'US');
  const kmh = name >= FIRST_FILE_IN_MS ? KMH_PER_MS : KMH_PER_MPH;
  const metadataOf = createTripTable();
  for (const row of readRows(text)) {
    const [vehicle = '', time, speedText, route = '', trip = '', latText, lonText, headsign] = row;
    const timestamp = readInstant(time);
    const latitude = readNumber(latText);
    const longitude = readNumber(lonText);
    if (timestamp === undefined || latitude === undefined || longitude === undefined) {
      collector.addUnsendable(vehicle);
      continue;
    }
    const speed = readNumber(speedText);
    collector.add(vehicle, {
      timestamp,
      country_id: 'US',
      latitude,
      longitude,
      metadata: metadataOf(route, trip, headsign ?? ''),
      ...(speed === undefined
        ? {}
        : { telemetry: { timestamp, speed: roundConverted(speed * kmh) } }),
    });
  }
  return collector.tracks();
};

/** One list of pairs per trip instead of one per row: a day has 40,000 rows and few trips. */
function createTripTable(): (route: string, trip: string, headsign: string) => Metadata {
  const table = new Map<string, Metadata>();
  return function metadataOf(route, trip, headsign) {
    const key = `${route},${trip},${headsign}`;
    let pairs = table.get(key);
    if (pairs === undefined) {
      pairs = [
        { name: 'route_id', value: route },
        { name: 'trip_id', value: trip },
        { name: 'trip_headsign', value: headsign },
      ].filter((pair) => pair.value !== '');
      table.set(key, pairs);
    }
    return pairs;
  };
}
