import { sizeFor, type Demand, type Line } from '../../../services/cli/capacity/model.ts';
import type { SizeProfile } from '../../values/value.ts';
import { committedCosts } from '../measured.ts';

/** The fleet that each profile is for; `rastro capacity` says what it needs. */
export const FLEETS: Readonly<Record<SizeProfile, Demand>> = {
  small: { devices: 1_000, periodSeconds: 10 },
  standard: { devices: 100_000, periodSeconds: 10 },
  large: { devices: 1_000_000, periodSeconds: 10 },
};

/** A line of `rastro capacity` for the fleet of a profile. */
export function needOf(profile: SizeProfile, what: string): Line {
  const line = sizeFor(FLEETS[profile], committedCosts()).find((each) => each.what === what);
  if (line === undefined) throw new Error(`rastro capacity has no line ${what}.`);
  return line;
}
