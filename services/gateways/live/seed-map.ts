import type { Pause } from '../../kernel/clock.ts';
import { EARTH_BOX, type LastFix, type LastFixes } from '../../kernel/fixes.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { Signals } from '../../kernel/signals.ts';
import {
  readWholeFleet, type WholeFleetCursor, type WholeFleetPorts,
} from '../common/read-fleet.ts';

/** What reading the last positions of all devices needs from outside. */
export interface SeedPorts extends Omit<WholeFleetPorts, 'lastFixes'> {
  readonly lastFixes: Pick<LastFixes, 'findWithin' | 'isComplete'>;
  readonly pause: Pause;
  readonly signals: Signals;
}

const PAGE_FIXES = 500;
const RETRY_MS = 500;

/**
 * The last position of every device that is not stopped, from the state store. Waits until that is
 * there and complete, or `left` is aborted.
 */
export async function seedMap(ports: SeedPorts, left: AbortSignal): Promise<readonly LastFix[]> {
  while (!left.aborted) {
    try {
      if (await ports.lastFixes.isComplete()) return await readAll(ports);
      ports.signals.liveSeedFailed({ reason: 'the state store is being rebuilt' });
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      ports.signals.liveSeedFailed({ reason: error.code });
    }
    await ports.pause(RETRY_MS);
  }
  return [];
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
