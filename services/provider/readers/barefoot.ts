import { createTrackCollector, type TrackReader } from './track.ts';
import { readInstant } from './values.ts';

/**
 * GPS of a car in Munich, one track per file, positions only. The 1 s file repeats 305 positions
 * and holds one jump of 470 m in a second; both are sent as they are.
 */
export const readBarefoot: TrackReader = (text, name) => {
  const collector = createTrackCollector('barefoot-munich', 'DE');
  const vehicle = name.replace(/\.json$/, '');
  const points = JSON.parse(text) as readonly { readonly point: string; readonly time: string }[];
  for (const { point, time } of points) {
    const timestamp = readInstant(time);
    const parts = /^POINT\(([-\d.eE]+) ([-\d.eE]+)\)$/.exec(point);
    if (timestamp === undefined || parts === null) {
      collector.addUnsendable(vehicle);
      continue;
    }
    const [longitude, latitude] = [Number(parts[1]), Number(parts[2])];
    collector.add(vehicle, { timestamp, country_id: 'DE', latitude, longitude });
  }
  return collector.tracks();
};
