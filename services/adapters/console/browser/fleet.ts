import type { DeviceRow, FeedState } from './updates.ts';

/** What a device is: by the age of its last position, or what its feed says of it. */
export type ShownState = 'fresh' | 'late' | 'silent' | FeedState;

/** The states: first by age, then those that the feed says. */
export const STATES: readonly ShownState[] = ['fresh', 'late', 'silent', 'stopped', 'overflow'];

const FRESH_SECONDS = 300;
const LATE_SECONDS = 3_600;

/** The state of a device at a time in seconds since epoch. */
export function stateOf(
  { state, timestamp }: Pick<DeviceRow, 'state' | 'timestamp'>, atSeconds: number,
): ShownState {
  if (state !== undefined) return state;
  const ageSeconds = atSeconds - timestamp;
  if (ageSeconds <= FRESH_SECONDS) return 'fresh';
  return ageSeconds <= LATE_SECONDS ? 'late' : 'silent';
}

/** Devices with their last positions, by id; the order is no order. */
export interface ShownFleet {
  readonly size: number;
  put(row: DeviceRow): void;
  remove(id: string): void;
  clear(): void;
  find(id: string): DeviceRow | undefined;
  rows(): Iterable<DeviceRow>;
}

/** Makes an empty fleet. */
export function createFleet(): ShownFleet {
  const rows = new Map<string, DeviceRow>();
  return {
    get size() { return rows.size; },
    put(row) { rows.set(row.id, row); },
    remove(id) { rows.delete(id); },
    clear() { rows.clear(); },
    find: (id) => rows.get(id),
    rows: () => rows.values(),
  };
}

/** What the map draws: the fleet at one moment, without what is not shown. */
export interface Drawn {
  /** For each device x, y (mercator, 0 to 1), the index of its state, and 1 where it is chosen. */
  readonly points: Float32Array;
  /** Ids in the order of the points. */
  readonly ids: readonly string[];
  readonly counts: Readonly<Record<ShownState, number>>;
}

/** Numbers of one device in {@link Drawn}. */
export const POINT_NUMBERS = 4;

/** Puts a fleet into points, by the state of each device at a time in seconds since epoch. */
export function drawFleet(
  fleet: ShownFleet, atSeconds: number, isShown: (state: ShownState) => boolean, chosen?: string,
): Drawn {
  const points = new Float32Array(fleet.size * POINT_NUMBERS);
  const ids: string[] = [];
  const counts = { fresh: 0, late: 0, silent: 0, stopped: 0, overflow: 0 };
  let at = 0;
  for (const row of fleet.rows()) {
    const { id, longitude, latitude } = row;
    const state = stateOf(row, atSeconds);
    counts[state] += 1;
    if (!isShown(state)) continue;
    points[at] = mercatorX(longitude);
    points[at + 1] = mercatorY(latitude);
    points[at + 2] = STATES.indexOf(state);
    points[at + 3] = id === chosen ? 1 : 0;
    at += POINT_NUMBERS;
    ids.push(id);
  }
  return { points: points.subarray(0, at), ids, counts };
}

/** The nearest drawn devices to a point in mercator, no further than `most`, nearest first. */
export function nearest(
  { points, ids }: Drawn, x: number, y: number, most: number, count: number,
): readonly string[] {
  const found: { readonly id: string; readonly far: number }[] = [];
  ids.forEach((id, index) => {
    const far = Math.hypot(
      (points[index * POINT_NUMBERS] ?? 0) - x, (points[index * POINT_NUMBERS + 1] ?? 0) - y,
    );
    if (far <= most) found.push({ id, far });
  });
  return found.toSorted((one, other) => one.far - other.far).slice(0, count).map(({ id }) => id);
}

/** West, south, east and north of all drawn devices; undefined where none is drawn. */
export function boundsOf({ points, ids }: Drawn): [number, number, number, number] | undefined {
  if (ids.length === 0) return undefined;
  const every = (from: number): Float32Array => (
    points.filter((_, at) => at % POINT_NUMBERS === from));
  const [xs, ys] = [every(0), every(1)];
  const most = (numbers: Float32Array, pick: 'min' | 'max'): number => (
    numbers.reduce((one, other) => Math[pick](one, other)));
  return [
    longitudeAt(most(xs, 'min')), latitudeAt(most(ys, 'max')),
    longitudeAt(most(xs, 'max')), latitudeAt(most(ys, 'min')),
  ];
}

/** Mercator of a longitude: 0 to 1, from west to east. */
export function mercatorX(longitude: number): number {
  return (180 + longitude) / 360;
}

/** Mercator of a latitude: 0 to 1, from north to south. */
export function mercatorY(latitude: number): number {
  const radians = (latitude * Math.PI) / 360;
  return (180 - (180 / Math.PI) * Math.log(Math.tan(Math.PI / 4 + radians))) / 360;
}

/** The longitude of a mercator x. */
export function longitudeAt(x: number): number {
  return x * 360 - 180;
}

/** The latitude of a mercator y. */
export function latitudeAt(y: number): number {
  const angle = Math.atan(Math.exp(((180 - y * 360) * Math.PI) / 180));
  return (angle * 360) / Math.PI - 90;
}
