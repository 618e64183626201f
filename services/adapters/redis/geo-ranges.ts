import type { GeoBox } from '../../kernel/fixes.ts';

/**
 * An interval of scores of a geo index, both ends included. Redis interleaves 26 bits of longitude
 * and latitude to one whole number below 2^52, so a square of the earth is an interval.
 */
export interface ScoreRange {
  readonly least: number;
  readonly most: number;
}

interface Cell {
  /** Bits of longitude and latitude that are fixed: 2^step cells stand side by side. */
  readonly step: number;
  readonly column: number;
  readonly row: number;
}

const STEPS = 26;
const LONGITUDE_MAX = 180;
const LATITUDE_MAX = 85.05112878;
// Cells are taken a little larger, so that rounding in the score loses nothing at an edge.
const MARGIN = 1e-9;

// At the very end of its grid Redis makes a score beyond all cells, and near a pole it has none.
const INDEXED_LONGITUDE_MAX = 179.999999;
const INDEXED_LATITUDE_MAX = 85.05112;

/** Where the index holds a place: the same, or for the last metres of the grid a little inside. */
export function indexedPoint(
  { longitude, latitude }: { readonly longitude: number; readonly latitude: number },
): readonly [longitude: number, latitude: number] {
  return [Math.min(longitude, INDEXED_LONGITUDE_MAX), indexedLatitude(latitude)];
}

/**
 * Intervals of scores that hold everything in a box, and something around it: at most `rangesMax`,
 * in order, without overlap. The caller checks where each result truly is.
 */
export function scoreRanges(box: GeoBox, rangesMax: number): readonly ScoreRange[] {
  const sides = box.min_longitude <= box.max_longitude
    ? [box]
    : [{ ...box, max_longitude: LONGITUDE_MAX }, { ...box, min_longitude: -LONGITUDE_MAX }];
  let cells: readonly Cell[] = [{ step: 0, column: 0, row: 0 }];
  for (let step = 0; step < STEPS; step++) {
    const finer = cells.flatMap(quarters)
      .filter((cell) => sides.some((side) => overlaps(cell, side)));
    if (finer.length > rangesMax) break;
    cells = finer;
  }
  return joined(cells.map(rangeOf).sort((a, b) => a.least - b.least));
}

function quarters({ step, column, row }: Cell): readonly Cell[] {
  return [0, 1].flatMap((right) => [0, 1].map((up) => (
    { step: step + 1, column: column * 2 + right, row: row * 2 + up }
  )));
}

function overlaps({ step, column, row }: Cell, box: GeoBox): boolean {
  const width = (2 * LONGITUDE_MAX) / 2 ** step;
  const height = (2 * LATITUDE_MAX) / 2 ** step;
  const west = column * width - LONGITUDE_MAX - MARGIN;
  const south = row * height - LATITUDE_MAX - MARGIN;
  return west <= box.max_longitude && west + width + 2 * MARGIN >= box.min_longitude
    && south <= indexedLatitude(box.max_latitude)
    && south + height + 2 * MARGIN >= indexedLatitude(box.min_latitude);
}

function indexedLatitude(latitude: number): number {
  return Math.max(-INDEXED_LATITUDE_MAX, Math.min(INDEXED_LATITUDE_MAX, latitude));
}

function rangeOf({ step, column, row }: Cell): ScoreRange {
  let prefix = 0;
  for (let bit = step - 1; bit >= 0; bit--) {
    const power = 2 ** bit;
    prefix = prefix * 4 + (Math.floor(column / power) % 2) * 2 + (Math.floor(row / power) % 2);
  }
  const size = 4 ** (STEPS - step);
  return { least: prefix * size, most: (prefix + 1) * size - 1 };
}

function joined(ranges: readonly ScoreRange[]): readonly ScoreRange[] {
  const whole: ScoreRange[] = [];
  for (const range of ranges) {
    const last = whole.at(-1);
    if (last !== undefined && last.most + 1 >= range.least) {
      whole[whole.length - 1] = { least: last.least, most: Math.max(last.most, range.most) };
    } else {
      whole.push(range);
    }
  }
  return whole;
}
