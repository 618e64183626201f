/** One update of positions in bytes, as docs/reference/live-feeds.md describes it. */
export interface BinaryUpdate {
  readonly kind: number;
  readonly hasMore: boolean;
  readonly id: string;
  readonly atMs: number;
  readonly text: string;
  readonly rows: readonly {
    readonly deviceId: string;
    readonly latitude: number;
    readonly longitude: number;
    readonly timestamp: number;
    readonly speed: number | undefined;
    readonly bearing: number | undefined;
    readonly state: number | undefined;
  }[];
  readonly gone: readonly string[];
}

const NONE = 65_535;

/** Reads updates that come one behind the other; throws where bytes are left over or lacking. */
export function readBinaryUpdates(bytes: Buffer, hasStates: boolean): readonly BinaryUpdate[] {
  const updates: BinaryUpdate[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt32LE(at);
    updates.push(readUpdate(bytes.subarray(at, end), hasStates));
    at = end;
  }
  return updates;
}

function readUpdate(bytes: Buffer, hasStates: boolean): BinaryUpdate {
  const idEnd = 28 + bytes.readUInt16LE(6);
  const textEnd = idEnd + bytes.readUInt32LE(24);
  const rowBytes = hasStates ? 33 : 32;
  const goneFrom = textEnd + bytes.readUInt32LE(16) * rowBytes;
  const end = goneFrom + bytes.readUInt32LE(20) * 16;
  if (end !== bytes.length) throw new Error(`An update of ${bytes.length} bytes says ${end}.`);
  return {
    kind: bytes.readUInt8(4), hasMore: bytes.readUInt8(5) === 1, atMs: bytes.readDoubleLE(8),
    id: bytes.toString('latin1', 28, idEnd), text: bytes.toString('latin1', idEnd, textEnd),
    rows: Array.from({ length: bytes.readUInt32LE(16) }, (_, nth) => (
      rowAt(bytes, textEnd + nth * rowBytes, hasStates)
    )),
    gone: Array.from({ length: bytes.readUInt32LE(20) }, (_, nth) => (
      deviceAt(bytes, goneFrom + nth * 16)
    )),
  };
}

function rowAt(bytes: Buffer, at: number, hasStates: boolean): BinaryUpdate['rows'][number] {
  const tenths = (from: number): number | undefined => {
    const value = bytes.readUInt16LE(from);
    return value === NONE ? undefined : value / 10;
  };
  return {
    deviceId: deviceAt(bytes, at),
    latitude: bytes.readInt32LE(at + 16) / 1e7, longitude: bytes.readInt32LE(at + 20) / 1e7,
    timestamp: bytes.readUInt32LE(at + 24), speed: tenths(at + 28), bearing: tenths(at + 30),
    state: hasStates ? bytes.readUInt8(at + 32) : undefined,
  };
}

function deviceAt(bytes: Buffer, at: number): string {
  return bytes.toString('hex', at, at + 16)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
