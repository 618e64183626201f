import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCosts, type Costs } from '../../services/cli/capacity/costs.ts';

/** The committed run, from the root of the repository. */
export const BENCH = 'docs/reference/performance/bench.json';

/** The costs that the committed run of the bench has measured; undefined without such a run. */
export function benchCosts(root: string): Costs | undefined {
  const path = join(root, BENCH);
  return existsSync(path) ? readCosts(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}
