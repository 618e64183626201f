import { extentOf, meanOf, metersBetween, type Place } from './geometry.ts';
import { reportedOf, type NaivePoint } from './points.ts';

/** From one half minute with points to the next; the first after a silence has only its own. */
export interface NaiveLeg {
  readonly from: number;
  readonly to: number;
  readonly kind: 'stay' | 'way' | 'gap';
  readonly start: Place;
  readonly end: Place;
  readonly meters: number;
  readonly drivingS: number;
  readonly speedMax: number;
}

interface Cell {
  readonly index: number;
  readonly points: readonly NaivePoint[];
  readonly place: Place;
  readonly first: number;
  readonly last: number;
  /** Along the points, and from the cell before straight to this one. */
  readonly along: number;
  readonly straight: number;
  readonly isKnown: boolean;
}

const CELL_S = 30;
const KNOWN_S = 900;
const WINDOW = 10;
const PLACE_M = 60;
const YARD_M = 200;
const MOVING_KMH = 5;
const JUMP_MS = 97.2;

/** What a device did, half minute by half minute, with its silences. */
export function legsOf(points: readonly NaivePoint[]): readonly NaiveLeg[] {
  const cells = cellsOf(points);
  const stays = cells.map((_, index) => isStay(cells, index));
  return cells.flatMap((cell, index): readonly NaiveLeg[] => {
    const before = cells[index - 1];
    const leg = legOf(cells, stays, index);
    if (before === undefined || cell.isKnown) return [leg];
    return [{
      from: before.last, to: cell.first, kind: 'gap', start: before.place, end: cell.place,
      meters: 0, drivingS: 0, speedMax: -1,
    }, leg];
  });
}

function cellsOf(points: readonly NaivePoint[]): readonly Cell[] {
  const cells: Cell[] = [];
  const groups = Map.groupBy(points, ({ fix }) => Math.floor(fix.ts / CELL_S));
  for (const [index, all] of groups) {
    const before = cells.at(-1);
    const place = meanOf(all.map((point) => point.place));
    const first = all[0]?.fix.ts ?? 0;
    const isKnown = before !== undefined && first - before.last <= KNOWN_S;
    cells.push({
      index, points: all, place, first, last: all.at(-1)?.fix.ts ?? 0, isKnown,
      along: all.reduce((sum, { meters }) => sum + meters, 0),
      straight: isKnown ? metersBetween(before.place, place) : 0,
    });
  }
  return cells;
}

/** Whether the device stays within one place for the five minutes that begin with a cell. */
function isStay(cells: readonly Cell[], index: number): boolean {
  const from = cells[index]?.index ?? 0;
  const window = cells.slice(index, index + WINDOW + 1)
    .filter((cell) => cell.index <= from + WINDOW);
  const points = window.flatMap((cell) => cell.points);
  const speeds = points.flatMap(({ fix }) => reportedOf(fix) ?? []);
  const ignitions = points.flatMap(({ fix }) => fix.ignition ?? []);
  const accuracies = points.flatMap(({ fix }) => fix.accuracy ?? []);
  const squares = window.slice(1).map(({ straight }) => straight ** 2);
  const noise = 3 * Math.sqrt(average(squares));
  const isParkedByReport = (speeds.length > 0 && speeds.every((speed) => speed < MOVING_KMH))
    || (ignitions.length > 0 && ignitions.every((isOn) => !isOn));
  const limit = isParkedByReport ? YARD_M
    : Math.min(Math.max(noise, 4 * average(accuracies), PLACE_M), YARD_M);
  return extentOf(window.map((cell) => cell.place)) <= limit;
}

function legOf(cells: readonly Cell[], stays: readonly boolean[], index: number): NaiveLeg {
  const cell = cells[index];
  if (cell === undefined) throw new RangeError(`No cell ${index}.`);
  const before = cell.isKnown ? cells[index - 1] : undefined;
  const from = before === undefined ? cell.first : before.last;
  const seconds = cell.last - from;
  const known = { from, to: cell.last, start: before?.place ?? cell.place, end: cell.place };
  const speedMax = Math.max(-1, ...cell.points.map(({ fix }) => reportedOf(fix) ?? -1));
  const isFar = cell.straight > JUMP_MS * (seconds + 60);
  if (isStill(cells, stays, index) || isFar) {
    const kind = isFar ? 'way' : 'stay';
    return { ...known, kind, meters: 0, drivingS: 0, speedMax };
  }
  const beside = cells.slice(Math.max(index - 1, 0), index + 2)
    .filter((other) => Math.abs(other.index - cell.index) <= 1);
  const sum = (of: (cell: Cell) => number) => beside.reduce((all, other) => all + of(other), 0);
  const meters = sum(({ along }) => along) > 1.5 * sum(({ straight }) => straight)
    ? cell.straight : cell.along;
  const speeds = cell.points.flatMap(({ fix }) => reportedOf(fix) ?? []);
  const isMoving = speeds.length >= 2 ? average(speeds) >= MOVING_KMH
    : meters > 0 && 3.6 * meters >= MOVING_KMH * seconds;
  return {
    ...known, kind: 'way', speedMax,
    meters: isMoving ? Math.round(meters * 100) / 100 : 0, drivingS: isMoving ? seconds : 0,
  };
}

/** Of a step that is longer than five minutes only the two ends are known. */
function isStill(cells: readonly Cell[], stays: readonly boolean[], index: number): boolean {
  const cell = cells[index];
  const before = cells[index - 1];
  if (cell === undefined || before === undefined || !cell.isKnown) return stays[index] ?? false;
  if (cell.index - before.index > WINDOW) return cell.straight <= YARD_M;
  return cells.slice(0, index).some((other, at) => (
    (stays[at] ?? false) && cell.index - other.index <= WINDOW
  ));
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
