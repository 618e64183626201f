import type { MachineFacts } from '../bench/measure/machine.ts';
import type { ActRow } from './run-acts.ts';

/** The page of a run in which every act passed; the facts are those of its beginning. */
export function pageOf(
  rows: readonly ActRow[], tookMs: number,
  { commit, cores, memoryGiB, kernel, loadBefore }: MachineFacts,
): string {
  return `# What ran in containers

\`npm run containers\`, ${(tookMs / 60_000).toFixed(1)} minutes. Commit ${commit}, ${cores} cores, ${memoryGiB} GiB, Linux
${kernel}, load before ${loadBefore}. The acts, and the images made in place of others:
[test/containers](../../test/containers/README.md).

${actTable(rows)}
`;
}

/** Acts as a table of a page. */
export function actTable(rows: readonly ActRow[]): string {
  return ['| | Act | Took | Seen |', '|---|---|---|---|', ...rows.map((
    { name, does, took, seen }, index,
  ) => `| ${index + 1} | **${name}**: ${does} | ${took} | ${seen.replaceAll('|', '\\|')} |`)].join('\n');
}
