import type { MachineFacts } from '../bench/measure/machine.ts';
import { actTable } from '../containers/page.ts';
import type { ActRow } from '../containers/run-acts.ts';

/** Where a run began, and the names of the acts it was for; none for all. */
interface ClusterPageFacts extends MachineFacts {
  readonly only: readonly string[];
}

/** The page of a run in which every act passed; the facts are those of its beginning. */
export function clusterPage(
  rows: readonly ActRow[], tookMs: number,
  { commit, cores, memoryGiB, kernel, loadBefore, only }: ClusterPageFacts,
): string {
  const words = only.length === 0 ? '' : ` --only ${only.join(',')}`;
  return `# What ran in a cluster

\`npm run cluster -- rehearse product${words}\`, ${(tookMs / 60_000).toFixed(1)} minutes.
Commit ${commit}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}, load before ${loadBefore}.
The acts, and what is in place of parts: [test/cluster](../../test/cluster/README.md).

${actTable(rows)}
`;
}
