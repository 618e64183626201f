import { crc32, deflateSync } from 'node:zlib';
import { varint } from './map-archive.ts';

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

const PIXELS = 256;
/** Units of a tile from edge to edge. */
const EXTENT = 4_096;

/** A PNG of one colour, as large as a tile. */
export function pngTile(colour: Colour): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(PIXELS, 0);
  head.writeUInt32BE(PIXELS, 4);
  head.set([8, 2], 8);
  const row = Buffer.from([0, ...Array.from({ length: PIXELS }, () => colour).flat()]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: PIXELS }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, bytes: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A feature of a vector tile: an area over all of the tile, or a point in its middle. */
export interface TileFeature {
  readonly layer: string;
  readonly shape: 'area' | 'point';
  readonly properties: Readonly<Record<string, string>>;
}

/** A Mapbox vector tile (version 2) of these features, each in a layer of its own. */
export function vectorTile(features: readonly TileFeature[]): Buffer {
  return Buffer.from(features.flatMap((feature) => field(3, layerOf(feature))));
}

function layerOf({ layer, shape, properties }: TileFeature): readonly number[] {
  const pairs = Object.entries(properties);
  const feature = [
    ...field(2, pairs.flatMap((_, at) => [at, at])), ...number(3, shape === 'area' ? 3 : 1),
    ...field(4, (shape === 'area' ? AREA : POINT).flatMap(varint)),
  ];
  return [
    ...number(15, 2), ...field(1, text(layer)), ...field(2, feature),
    ...pairs.flatMap(([key]) => field(3, text(key))),
    ...pairs.flatMap(([, value]) => field(4, field(1, text(value)))),
    ...number(5, EXTENT),
  ];
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
/** Begin at a corner, three lines, and back. */
const AREA = [
  9, 0, 0, 26, zigzag(EXTENT), 0, 0, zigzag(EXTENT), zigzag(-EXTENT), 0, 15,
];
const POINT = [9, zigzag(EXTENT / 2), zigzag(EXTENT / 2)];

function text(value: string): readonly number[] {
  return [...Buffer.from(value, 'utf8')];
}

function field(id: number, bytes: readonly number[]): readonly number[] {
  return [id * 8 + 2, ...varint(bytes.length), ...bytes];
}

function number(id: number, value: number): readonly number[] {
  return [id * 8, ...varint(value)];
}
