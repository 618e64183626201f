import { execFileSync } from 'node:child_process';

/**
 * The commit that runs, and whether the tree differs from it in more than pages, which commands
 * like the one that asks write themselves; a copy without git has none.
 */
export function commitOf(dir = '.'): string {
  try {
    const commit = git(dir, 'rev-parse', '--short=8', 'HEAD');
    const changed = git(
      dir, 'status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/reference',
    );
    return changed === '' ? commit : `${commit}-dirty`;
  } catch {
    return 'unknown';
  }
}

function git(dir: string, ...words: readonly string[]): string {
  return execFileSync('git', words, {
    cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
