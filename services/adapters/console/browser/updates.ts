/** What a device is besides where it is: stopped, or stored later by the overflow topic. */
export type FeedState = 'stopped' | 'overflow';

/** One row of a live feed of positions. */
export interface DeviceRow {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Seconds since epoch, by the clock of the device. */
  readonly timestamp: number;
  /** In km/h and degrees; undefined where the device sent none. */
  readonly speed: number | undefined;
  readonly bearing: number | undefined;
  readonly state: FeedState | undefined;
}

/** An update of a feed of positions with states, from its bytes (docs/reference/live-feeds.md). */
export interface Update {
  readonly kind: 'positions' | 'reset' | 'mark';
  readonly hasMore: boolean;
  /** Where the feed goes on behind this update; empty where it cannot yet. */
  readonly id: string;
  readonly atMs: number;
  readonly reason: string;
  readonly rows: readonly DeviceRow[];
  readonly gone: readonly string[];
}

const KINDS = { 1: 'positions', 2: 'reset', 3: 'mark' } as const;
const HEAD_BYTES = 24;
const ROW_BYTES = 33;
const STATES: readonly (FeedState | undefined)[] = [undefined, 'stopped', 'overflow'];
const ID_BYTES = 16;
const DEGREES = 1e7;
const NO_NUMBER = 0xff_ff;

/** Makes a reader that is handed bytes as they come and gives the updates that are complete. */
export function createUpdateReader(): (chunk: Uint8Array) => readonly Update[] {
  let kept: Uint8Array = new Uint8Array(0);
  return (chunk) => {
    const bytes = kept.length === 0 ? chunk : joined(kept, chunk);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const updates: Update[] = [];
    let at = 0;
    while (bytes.length - at >= 4) {
      const length = view.getUint32(at, true);
      if (bytes.length - at - 4 < length) break;
      updates.push(readUpdate(bytes, view, at + 4));
      at += 4 + length;
    }
    kept = bytes.slice(at);
    return updates;
  };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function readUpdate(bytes: Uint8Array, view: DataView, from: number): Update {
  const idLength = view.getUint16(from + 2, true);
  const [rows, gone, text] = [12, 16, 20].map((at) => view.getUint32(from + at, true));
  let at = from + HEAD_BYTES;
  const ascii = (length: number): string => {
    at += length;
    return String.fromCharCode(...bytes.subarray(at - length, at));
  };
  const id = ascii(idLength);
  const reason = ascii(text ?? 0);
  const read: DeviceRow[] = [];
  for (let index = 0; index < (rows ?? 0); index += 1, at += ROW_BYTES) {
    read.push(readRow(bytes, view, at));
  }
  const ids: string[] = [];
  for (let index = 0; index < (gone ?? 0); index += 1, at += ID_BYTES) ids.push(readId(bytes, at));
  return {
    kind: KINDS[view.getUint8(from) as keyof typeof KINDS],
    hasMore: (view.getUint8(from + 1) & 1) === 1,
    atMs: view.getFloat64(from + 4, true), id, reason, rows: read, gone: ids,
  };
}

function readRow(bytes: Uint8Array, view: DataView, at: number): DeviceRow {
  const tenths = (offset: number): number | undefined => {
    const value = view.getUint16(at + offset, true);
    return value === NO_NUMBER ? undefined : value / 10;
  };
  return {
    id: readId(bytes, at),
    latitude: view.getInt32(at + 16, true) / DEGREES,
    longitude: view.getInt32(at + 20, true) / DEGREES,
    timestamp: view.getUint32(at + 24, true),
    speed: tenths(28), bearing: tenths(30), state: STATES[view.getUint8(at + 32)],
  };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function readId(bytes: Uint8Array, at: number): string {
  let text = '';
  for (let index = 0; index < ID_BYTES; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += HEX[bytes[at + index] ?? 0] ?? '';
  }
  return text;
}
