import type { MachineFacts } from '../bench/measure/machine.ts';
import type { ActRow } from '../containers/run-acts.ts';

/** The page of a run in which every act passed; the facts are those of its beginning. */
export function clusterPage(
  rows: readonly ActRow[], tookMs: number,
  { commit, cores, memoryGiB, kernel, loadBefore }: MachineFacts,
): string {
  return `# What ran in a cluster

\`npm run cluster -- rehearse product\`, ${(tookMs / 60_000).toFixed(1)} minutes.
Commit ${commit}, ${cores} cores, ${memoryGiB} GiB, Linux ${kernel}, load before ${loadBefore}.
The acts, and what is in place of parts: [test/cluster](../../test/cluster/README.md).

| | Act | Took | Seen |
|---|---|---|---|
${rows.map(({ name, does, took, seen }, index) => (
    `| ${index + 1} | **${name}**: ${does} | ${took} | ${seen.replaceAll('|', '\\|')} |`)).join('\n')}
`;
}
