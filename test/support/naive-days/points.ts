import { metersBetween, type Place } from './geometry.ts';

/** A fix as far as days go: seconds, degrees, kilometers/hour, kilometers, meters. */
export interface NaiveFix extends Place {
  readonly ts: number;
  readonly speed?: number | undefined;
  readonly odometer?: number | undefined;
  readonly accuracy?: number | undefined;
  readonly ignition?: boolean | undefined;
}

/** The first fix of five seconds; a place that it jumped to and back from is taken out. */
export interface NaivePoint {
  readonly fix: NaiveFix;
  readonly place: Place;
  /** From the point before to this one, meters. */
  readonly meters: number;
  readonly isJump: boolean;
}

const JUMP_MS = 97.2;
const KNOWN_S = 900;
const SPIKE_S = 300;
const HELD_S = 60;

/** A speed that a road vehicle can have. */
export function reportedOf({ speed }: NaiveFix): number | undefined {
  return speed !== undefined && speed >= 0 && speed <= 350 ? speed : undefined;
}

/** The points of a device, in order. */
export function pointsOf(sent: readonly NaiveFix[]): readonly NaivePoint[] {
  const fixes = firstOfFive(sent);
  const steps = stepsOf(fixes);
  const isSpike = (index: number): boolean => [index, index + 1].every((at) => (
    (steps[at]?.isJump ?? false) && (steps[at]?.seconds ?? 0) <= SPIKE_S
  ));
  const places = fixes.map((fix, index) => (isSpike(index) ? fixes[index - 1] ?? fix : fix));
  return fixes.map((fix, index) => {
    const [place, before] = [places[index] ?? fix, places[index - 1]];
    const { seconds = 0, isJump = false } = steps[index] ?? {};
    const meters = before === undefined ? 0 : metersBetween(before, place);
    const isCounted = seconds <= KNOWN_S && meters <= JUMP_MS * (seconds + HELD_S);
    return { fix, place, isJump, meters: isCounted ? meters : 0 };
  });
}

/** A device may repeat a place while it looks for the next: up to a minute counts as moving. */
function stepsOf(
  fixes: readonly NaiveFix[],
): readonly ({ readonly seconds: number; readonly isJump: boolean } | undefined)[] {
  let arrivedAt = fixes[0]?.ts ?? 0;
  return fixes.map((fix, index) => {
    const before = fixes[index - 1];
    if (before === undefined) return undefined;
    const seconds = fix.ts - before.ts;
    const meters = metersBetween(before, fix);
    const held = Math.min(before.ts - arrivedAt, HELD_S);
    if (before.latitude !== fix.latitude || before.longitude !== fix.longitude) arrivedAt = fix.ts;
    return { seconds, isJump: seconds <= KNOWN_S && meters > JUMP_MS * (seconds + held) };
  });
}

function firstOfFive(sent: readonly NaiveFix[]): readonly NaiveFix[] {
  const fives = new Map<number, NaiveFix>();
  for (const fix of sent) {
    if (fix.latitude === 0 && fix.longitude === 0) continue;
    const five = Math.floor(fix.ts / 5);
    const other = fives.get(five);
    if (other === undefined || isLess(fix, other)) fives.set(five, fix);
  }
  return [...fives.values()].sort((a, b) => a.ts - b.ts);
}

function isLess(a: NaiveFix, b: NaiveFix): boolean {
  const keys = (fix: NaiveFix) => [
    fix.ts, fix.latitude, fix.longitude, reportedOf(fix) ?? -1, fix.accuracy ?? -1,
    fix.ignition === undefined ? -1 : Number(fix.ignition),
  ];
  const [mine, theirs] = [keys(a), keys(b)];
  const index = mine.findIndex((value, at) => value !== theirs[at]);
  return index !== -1 && (mine[index] ?? 0) < (theirs[index] ?? 0);
}
