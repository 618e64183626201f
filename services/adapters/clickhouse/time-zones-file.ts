import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Where the zones of all places and their clocks are; `scripts/build-time-zones.ts` makes it. */
export const TIME_ZONES_FILE = join(
  import.meta.dirname, '..', '..', '..', 'infra', 'clickhouse', 'time-zones', 'time-zones.bin.gz',
);

/** Finest resolution of H3 of the cells. */
export const RESOLUTION = 8;

/** Every change of the clock of a zone, the earliest first: when, and its seconds ahead of UTC. */
export interface ZoneClock {
  readonly zone: string;
  readonly changes: readonly (readonly [since_s: number, offset_s: number])[];
}

/**
 * The zones of all places. Cells of the finest resolution are numbers, H3 indexes without the
 * digits behind it, so that those of a coarser cell are beside each other. From each of `starts` on
 * the cells have the zones of `groups[lists[…]]`: one, several with a `*` behind where a border
 * passes through, none on the high seas.
 */
export interface TimeZones {
  /** Version of the clocks, as IANA names it. */
  readonly release: string;
  readonly groups: readonly string[];
  readonly starts: readonly number[];
  readonly lists: readonly number[];
  readonly clocks: readonly ZoneClock[];
  readonly countries: Readonly<Record<string, readonly string[]>>;
}

const HEAD_BYTES = 4;

/** Names as JSON, then of each run its distance from the one before, and its group. */
export function encodeTimeZones({ starts, lists, ...named }: TimeZones): Buffer {
  const head = Buffer.from(JSON.stringify(named));
  const size = Buffer.alloc(HEAD_BYTES);
  size.writeUInt32LE(head.length);
  const bytes: number[] = [];
  let before = 0;
  for (const [index, start] of starts.entries()) {
    push(bytes, start - before);
    push(bytes, lists[index] ?? 0);
    before = start;
  }
  return gzipSync(Buffer.concat([size, head, Buffer.from(bytes)]), { level: 9 });
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
function push(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push(rest % 128 + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/** Reads the file of this release of the product. */
export function readTimeZones(): TimeZones {
  const bytes = gunzipSync(readFileSync(TIME_ZONES_FILE));
  const end = HEAD_BYTES + bytes.readUInt32LE();
  const named = JSON.parse(
    bytes.subarray(HEAD_BYTES, end).toString(),
  ) as Omit<TimeZones, 'starts' | 'lists'>;
  const starts: number[] = [];
  const lists: number[] = [];
  let [start, at] = [0, end];
  const next = (): number => {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 127) * unit;
      if (byte < 128) return value;
      unit *= 128;
    }
  };
  while (at < bytes.length) {
    start += next();
    starts.push(start);
    lists.push(next());
  }
  return { ...named, starts, lists };
}
