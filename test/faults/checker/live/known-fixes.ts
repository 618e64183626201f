import type { Evidence } from '../evidence.ts';
import { foldFixes, type FoldedFix } from '../fold-devices.ts';
import type { ShownMap } from './shown-map.ts';
import { healedAt, loggedAt, ownersOf, stoppedIn, type SeenBy } from './viewers.ts';

/** What the log says of the devices that a viewer may see. */
export interface KnownFixes {
  /** Last positions of all that are not stopped. */
  readonly last: ReadonlyMap<string, FoldedFix>;
  /** Those of them that were there when the last fault was healed, as they were then. */
  readonly atHeal: ReadonlyMap<string, FoldedFix>;
  /** Devices that were stopped by then. */
  readonly stoppedAtHeal: ReadonlySet<string>;
  readonly isOwn: (device: string) => boolean;
}

/** Reads the log once for a viewer. */
export function knownFixesFor(evidence: Evidence, { owner }: SeenBy): KnownFixes {
  const healed = healedAt(evidence);
  const logAtHeal = evidence.log.filter((entry) => loggedAt(evidence, entry) <= healed);
  const until = { ...evidence, log: logAtHeal };
  const owners = ownersOf(evidence);
  const stopped = stoppedIn(evidence);
  const isOwn = (device: string): boolean => (
    owner === null || owners.get(device) === owner.client_id
  );
  const shown = (fixes: ReadonlyMap<string, FoldedFix>): ReadonlyMap<string, FoldedFix> => (
    new Map([...fixes].filter(([device]) => isOwn(device) && !stopped.has(device)))
  );
  return {
    last: shown(foldFixes(evidence)), atHeal: shown(foldFixes(until)),
    stoppedAtHeal: stoppedIn(until), isOwn,
  };
}

/** What a map lacks of what was known at the heal, in words; later positions are good too. */
export function lackOf(map: ShownMap, { atHeal, stoppedAtHeal }: KnownFixes): string | undefined {
  for (const [device, { timestamp }] of atHeal) {
    const shown = map.get(device);
    if (shown === undefined) return `${device} was missing`;
    if (shown.timestamp < timestamp) return `${device} was where it had been earlier`;
  }
  const ghost = [...map.keys()].find((device) => stoppedAtHeal.has(device));
  return ghost === undefined ? undefined : `${ghost} was there, though it was stopped`;
}
