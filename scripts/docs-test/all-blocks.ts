import { execFileSync } from 'node:child_process';
import { readBlocks, type Block } from '../../test/support/pages/read-blocks.ts';

/** The blocks of all pages that are committed, by page. */
export function allBlocks(): readonly Block[] {
  const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
  return pages.flatMap(readBlocks);
}
