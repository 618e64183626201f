import type { Block } from '../../test/support/pages/read-blocks.ts';

/** A run in which every block printed what its page shows. */
export interface BlocksRun {
  readonly commit: string;
  /** Tests that passed: one for each page, and those of the pages' contents. */
  readonly passed: number;
}

/** The page of such a run. */
export function pageOfBlocks(blocks: readonly Block[], { commit, passed }: BlocksRun): string {
  return `# Blocks of the documentation

Made by \`npm run docs:test -- --page\` at commit \`${commit}\`: ${passed} tests passed, 0 failed. Each block that runs is
given to one shell for its page, on a stack of its own, and what it prints is compared with what the page shows. A block that does not
run says why; a test holds both lists.

${tablesOfBlocks(blocks)}`;
}

/** What the pages say today: how many blocks each has, and why some do not run. */
export function tablesOfBlocks(blocks: readonly Block[]): string {
  const pages = [...Map.groupBy(blocks, ({ page }) => page)];
  const excused = blocks.filter(({ notRun }) => notRun !== undefined).length;
  const counts = pages.map(([page, of]) => {
    const ran = of.filter(({ notRun }) => notRun === undefined).length;
    return `| ${linkTo(page)} | ${of.length} | ${ran} | ${of.length - ran} |`;
  });
  const reasons = pages.flatMap(([page, of]) => (
    [...Map.groupBy(of, ({ notRun }) => notRun)].flatMap(([reason, those]) => (
      reason === undefined ? []
        : [`| ${linkTo(page)} | ${those.length} | ${reason.replaceAll('|', '\\|')} |`]
    ))
  ));
  return `**${blocks.length - excused} blocks run, ${excused} do not.**

| Page | Blocks | Run | Do not run |
|---|---|---|---|
${counts.join('\n')}

## Why blocks do not run

| Page | Blocks | Why |
|---|---|---|
${reasons.join('\n')}
`;
}

function linkTo(page: string): string {
  return `[${page}](${page.startsWith('docs/') ? `../${page.slice('docs/'.length)}` : `../../${page}`})`;
}
