import { gzipSync } from 'node:zlib';

/** A tile of a map archive. */
export interface ArchiveTile {
  /** Zoom, column and row; zoom 0 or 1. */
  readonly at: readonly [number, number, number];
  readonly bytes: Buffer;
}

/** What a map archive has. */
export interface ArchiveParts {
  readonly kind: 'mvt' | 'png';
  readonly tiles: readonly ArchiveTile[];
  readonly attribution?: string;
}

const HEADER_BYTES = 127;
const GZIP = 2;
const NONE = 1;
const KINDS = { mvt: 1, png: 2 } as const;
/** Numbers of tiles along Hilbert's curve, by zoom, column and row. */
const TILE_IDS: Readonly<Record<string, number>> = {
  '0,0,0': 0, '1,0,0': 1, '1,0,1': 2, '1,1,1': 3, '1,1,0': 4,
};
const BOUNDS = [-180, -85, 180, 85];

/** A PMTiles archive, version 3: header, one directory, metadata, and tiles in their order. */
export function mapArchive({ kind, tiles, attribution }: ArchiveParts): Buffer {
  const numbered = tiles
    .map(({ at, bytes }) => (
      { id: TILE_IDS[at.join()] ?? 0, zoom: at[0], bytes: packed(kind, bytes) }))
    .toSorted((one, other) => one.id - other.id);
  const root = gzipSync(directoryOf(numbered));
  const metadata = gzipSync(JSON.stringify({ name: 'test', attribution }));
  const data = Buffer.concat(numbered.map(({ bytes }) => bytes));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header.writeUInt8(3, 7);
  const metadataAt = HEADER_BYTES + root.length;
  const dataAt = metadataAt + metadata.length;
  const sections = [
    [HEADER_BYTES, root.length], [metadataAt, metadata.length], [dataAt, 0], [dataAt, data.length],
    [tiles.length, tiles.length], [tiles.length, 0],
  ];
  for (const [at, number] of sections.flat().slice(0, 11).entries()) {
    header.writeBigUInt64LE(BigInt(number), 8 + 8 * at);
  }
  const zooms = numbered.map(({ zoom }) => zoom);
  const bytes = [
    1, GZIP, kind === 'mvt' ? GZIP : NONE, KINDS[kind], Math.min(...zooms), Math.max(...zooms),
  ];
  for (const [at, byte] of bytes.entries()) header.writeUInt8(byte, 96 + at);
  for (const [at, degrees] of BOUNDS.entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * at);
  return Buffer.concat([header, root, metadata, data]);
}

function packed(kind: ArchiveParts['kind'], bytes: Buffer): Buffer {
  return kind === 'mvt' ? gzipSync(bytes) : bytes;
}

/** Columns of numbers: ids as differences, runs, lengths, and offsets, where 0 is "next". */
function directoryOf(tiles: readonly { readonly id: number; readonly bytes: Buffer }[]): Buffer {
  const ids = tiles.map(({ id }, at) => id - (tiles[at - 1]?.id ?? 0));
  const offsets = tiles.map((_, at) => (at === 0 ? 1 : 0));
  return Buffer.from([
    tiles.length, ...ids, ...tiles.map(() => 1), ...tiles.map(({ bytes }) => bytes.length),
    ...offsets,
  ].flatMap(varint));
}

/** A number in groups of seven bits, the least first. */
export function varint(number: number): readonly number[] {
  return number < 128 ? [number] : [number % 128 + 128, ...varint(Math.floor(number / 128))];
}
