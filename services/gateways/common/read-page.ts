import type { FleetCursor, GeoBox } from '../../kernel/fixes.ts';

const NUMBER = /^-?\d{1,3}(\.\d{1,17})?$/;
const CURSOR = /^(\d{1,16}):([^]{1,255})$/;

/** Reads `minLon,minLat,maxLon,maxLat`; undefined when it is not such a box. */
export function readBox(text: string): GeoBox | undefined {
  const parts = text.split(',');
  if (parts.length !== 4 || !parts.every((part) => NUMBER.test(part))) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = parts.map(Number);
  const isOnEarth = Math.abs(west) <= 180 && Math.abs(east) <= 180
    && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (!isOnEarth || south > north) return undefined;
  return {
    min_longitude: west, min_latitude: south, max_longitude: east, max_latitude: north,
  };
}

/** Why {@link readBox} gives nothing for this text. */
export function boxFault(text: string): string {
  const parts = text.split(',');
  const wanted = 'bbox must be minLon,minLat,maxLon,maxLat in degrees';
  if (parts.length !== 4) return `${wanted}; it has ${parts.length} numbers.`;
  if (!parts.every((part) => NUMBER.test(part))) {
    return `${wanted}, each with a decimal point and no blanks.`;
  }
  const [, south = 0, , north = 0] = parts.map(Number);
  if (south > north) return `${wanted}; minLat must not be greater than maxLat.`;
  return `${wanted}: longitudes from -180 to 180, latitudes from -90 to 90.`;
}

/** Reads a cursor that {@link writeCursor} wrote; undefined for anything else. */
export function readCursor(text: string): FleetCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return undefined;
  const [, score, device_id] = CURSOR.exec(bytes.toString('utf8')) ?? [];
  if (score === undefined || device_id === undefined) return undefined;
  return Number.isSafeInteger(Number(score)) ? { score: Number(score), device_id } : undefined;
}

/** Reads a cursor that {@link writeParts} wrote, of so many parts; undefined for anything else. */
export function readParts(text: string, parts: number): readonly string[] | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) return undefined;
  const found = bytes.toString('utf8').split('\n');
  return found.length === parts ? found : undefined;
}

/** A place as opaque text. The parts are numbers and ids, which have no line breaks. */
export function writeParts(parts: readonly (string | number)[]): string {
  return Buffer.from(parts.join('\n')).toString('base64url');
}

/** A place as opaque text. It opens nothing: the caller's own fleet is all it points into. */
export function writeCursor({ score, device_id }: FleetCursor): string {
  return Buffer.from(`${score}:${device_id}`).toString('base64url');
}
