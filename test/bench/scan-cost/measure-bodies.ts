import { openParts } from '../../fuzz/scanner/parts.ts';
import { bodiesOf } from './bodies.ts';
import { measureBoth, type Cost } from './rounds.ts';

/** So many that a round takes far longer than the steps in which the kernel counts CPU. */
const LOCATIONS_PER_ROUND = 50_000;

/** What the body alone costs: one scan, or parsing, validating and writing it again. */
export async function measureBodies(locations: number): Promise<Cost> {
  const { scan, exact } = await openParts();
  const bodies = bodiesOf(locations);
  const times = Math.max(40, Math.ceil(LOCATIONS_PER_ROUND / locations));
  const through = (way: (bytes: Buffer) => unknown) => async (): Promise<number> => {
    for (let at = 0; at < times; at += 1) {
      const body = bodies[at % bodies.length];
      if (body === undefined || way(body) === undefined) throw new Error('A body was not taken.');
    }
    return times;
  };
  return measureBoth(bodies[0]?.length ?? 0, through(scan), through(exact));
}
