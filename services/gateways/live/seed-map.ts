import type { Pause } from '../../kernel/clock.ts';
import { EARTH_BOX, type LastFix, type LastFixes } from '../../kernel/fixes.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { PartitionExtent } from '../../kernel/log-follower.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { LiveLimits } from './limits.ts';
import { seedStates, type SeededStates, type SeedStatesPorts } from './seed-states.ts';
import {
  readWholeFleet, type WholeFleetCursor, type WholeFleetPorts,
} from '../common/read-fleet.ts';

/** What reading the last positions of all devices needs from outside. */
export interface SeedPorts extends Omit<WholeFleetPorts, 'lastFixes'>, SeedStatesPorts {
  readonly lastFixes: Pick<LastFixes, 'find' | 'findWithin' | 'isComplete'>;
  readonly pause: Pause;
  readonly signals: Signals;
}

/** What a map begins with. */
export interface MapSeed extends SeededStates {
  /** The last fix of every device that is not stopped. */
  readonly fixes: readonly LastFix[];
}

const PAGE_FIXES = 500;
const RETRY_MS = 500;

/**
 * The last position of every device, from the state store, and the states of devices from the log
 * up to these ends. Waits until the store is there and complete; undefined once `left` is aborted.
 */
export async function seedMap(
  ports: SeedPorts, limits: LiveLimits, extents: readonly PartitionExtent[], left: AbortSignal,
): Promise<MapSeed | undefined> {
  while (!left.aborted) {
    try {
      if (await ports.lastFixes.isComplete()) {
        return { ...await seedStates(ports, limits, extents), fixes: await readAll(ports) };
      }
      ports.signals.liveSeedFailed({ reason: 'the state store is being rebuilt' });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      ports.signals.liveSeedFailed({ reason: error.code });
    }
    await ports.pause(RETRY_MS);
  }
  return undefined;
}

async function readAll(ports: SeedPorts): Promise<readonly LastFix[]> {
  const fixes: LastFix[] = [];
  let after: WholeFleetCursor | undefined;
  do {
    const page = await readWholeFleet(ports, {
      box: EARTH_BOX, provider: undefined, limit: PAGE_FIXES,
    }, after);
    for (const fix of page.fixes) fixes.push(fix);
    after = page.next;
  } while (after !== undefined);
  return fixes;
}
