import type { MapDevice } from './map-fleet.ts';

/** How positions are written: as server-sent events in JSON, or in bytes. */
export type FixFormat = 'json' | 'binary';

/** Devices of one update, or of a piece of one. */
export interface UpdateContents {
  readonly devices: readonly MapDevice[];
  /** The reader may not know devices that came after this change. */
  readonly since: number;
  /** True where more of the same update follows. */
  readonly hasMore: boolean;
  readonly atMs: number;
  /** Where a reader can go on; behind another piece than the last only that it begins again. */
  readonly id: string | undefined;
  /** Shows whose each device is, which only a reader of all of them needs. */
  readonly showsClients: boolean;
  /** Shows stopped devices too, and the state of each; else they are gone. */
  readonly showsStates: boolean;
}

/** Bytes that a row takes at most, near enough to cut updates into pieces. */
export const ROW_BYTES: Readonly<Record<FixFormat, number>> = { json: 160, binary: 32 };

/** What a device is besides where it is, in the order of its numbers in bytes; null is nothing. */
const STATES = [null, 'stopped', 'overflow'] as const;

/** An update as a server-sent event; a row that may be new to its reader says whose it is. */
export function jsonUpdate(contents: UpdateContents): Buffer {
  const { devices, since, hasMore, atMs, id, showsStates } = contents;
  let rows = '';
  let gone = '';
  for (const device of devices) {
    if (isHidden(device, showsStates)) gone += `${gone === '' ? '' : ','}${JSON.stringify(device.deviceId)}`;
    else rows += `${rows === '' ? '' : ','}${rowOf(device, device.appeared > since, contents)}`;
  }
  return Buffer.from(
    `${id === undefined ? '' : `id: ${id}\n`}event: positions\ndata: {"at_ms":${atMs}`
    + `,"positions":[${rows}],"gone":[${gone}],"has_more":${hasMore}}\n\n`,
  );
}

/** True for a device that the reader of an update must take off its map. */
export function isHidden({ isGone, isStopped }: MapDevice, showsStates: boolean): boolean {
  return isGone || (isStopped && !showsStates);
}

function stateOf({ isStopped, isOverflowing }: MapDevice): 0 | 1 | 2 {
  if (isStopped) return 1;
  return isOverflowing ? 2 : 0;
}

function rowOf(
  device: MapDevice, isNew: boolean,
  { showsClients, showsStates }: Pick<UpdateContents, 'showsClients' | 'showsStates'>,
): string {
  const { deviceId, clientId, fix } = device;
  const { timestamp, latitude, longitude, speed, bearing, ignition, provider } = fix;
  const moved = JSON.stringify([
    deviceId, timestamp, latitude, longitude, speed ?? null, bearing ?? null, ignition ?? null,
    ...showsStates ? [STATES[stateOf(device)]] : [],
  ]).slice(0, -1);
  if (!isNew) return `${moved}]`;
  const origin = `${moved},${JSON.stringify(provider)}`;
  return showsClients ? `${origin},${JSON.stringify(clientId)}]` : `${origin}]`;
}

/** The kinds of binary updates. */
export const BINARY = { fixes: 1, reset: 2, mark: 3 } as const;

const HEAD_BYTES = 24;
const ID_BYTES = 16;
const DEGREES = 10_000_000;
const NO_NUMBER = 0xff_ff;
const HAS_MORE = 1;

/**
 * An update in bytes, little-endian. Its head: length of what follows (4), kind (1), flags (1,
 * bit 0: more follows), length of the id (2), time in ms (8). Then the numbers of rows (4), of
 * devices that are gone (4), and of bytes of the text (4). Behind it are the id, the text, 32 bytes
 * a row, 33 with its state, and 16 for each device that is gone.
 */
export function binaryUpdate(contents: UpdateContents): Buffer {
  const { devices, hasMore, atMs, id, showsStates } = contents;
  const rows = devices.filter((device) => !isHidden(device, showsStates));
  const gone = devices.filter((device) => isHidden(device, showsStates));
  const update = emptyUpdate(BINARY.fixes, atMs, id ?? '', '', {
    rows: rows.length, gone: gone.length, stateBytes: showsStates ? rows.length : 0,
  });
  update.bytes.writeUInt8(hasMore ? HAS_MORE : 0, 5);
  let { at } = update;
  for (const device of rows) {
    at = writeRow(update.bytes, at, device);
    if (showsStates) at = update.bytes.writeUInt8(stateOf(device), at);
  }
  for (const { deviceId } of gone) at = writeId(update.bytes, at, deviceId);
  return update.bytes;
}

/** A update without devices: a reset with its reason, or the place alone. */
export function binaryEvent(
  kind: (typeof BINARY)['reset' | 'mark'], atMs: number, id: string, text: string,
): Buffer {
  return emptyUpdate(kind, atMs, id, text, { rows: 0, gone: 0, stateBytes: 0 }).bytes;
}

function emptyUpdate(
  kind: number, atMs: number, id: string, text: string,
  { rows, gone, stateBytes }: {
    readonly rows: number; readonly gone: number; readonly stateBytes: number;
  },
): { readonly bytes: Buffer; readonly at: number } {
  const texts = id.length + text.length;
  const length = 4 + HEAD_BYTES + texts + rows * ROW_BYTES.binary + stateBytes + gone * ID_BYTES;
  const bytes = Buffer.alloc(length);
  bytes.writeUInt32LE(length - 4, 0);
  bytes.writeUInt8(kind, 4);
  bytes.writeUInt16LE(id.length, 6);
  bytes.writeDoubleLE(atMs, 8);
  bytes.writeUInt32LE(rows, 16);
  bytes.writeUInt32LE(gone, 20);
  bytes.writeUInt32LE(text.length, 24);
  bytes.write(id + text, 4 + HEAD_BYTES, 'latin1');
  return { bytes, at: 4 + HEAD_BYTES + texts };
}

/** Id (16), latitude and longitude in 1e-7 degrees (4, 4), time in s (4), speed and bearing. */
function writeRow(bytes: Buffer, from: number, { deviceId, fix }: MapDevice): number {
  let at = writeId(bytes, from, deviceId);
  at = bytes.writeInt32LE(Math.round(fix.latitude * DEGREES), at);
  at = bytes.writeInt32LE(Math.round(fix.longitude * DEGREES), at);
  at = bytes.writeUInt32LE(fix.timestamp, at);
  at = bytes.writeUInt16LE(tenths(fix.speed), at);
  return bytes.writeUInt16LE(tenths(fix.bearing), at);
}

function writeId(bytes: Buffer, at: number, deviceId: string): number {
  bytes.write(deviceId.replaceAll('-', ''), at, ID_BYTES, 'hex');
  return at + ID_BYTES;
}

/** In tenths; one more than fits, or none, is {@link NO_NUMBER}. */
function tenths(value: number | undefined): number {
  const scaled = Math.round((value ?? Number.NaN) * 10);
  return scaled >= 0 && scaled < NO_NUMBER ? scaled : NO_NUMBER;
}
