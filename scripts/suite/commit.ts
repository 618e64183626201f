import { execFileSync } from 'node:child_process';

/** The commit that runs, and whether the tree differs from it; a copy without git has none. */
export function commitOf(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
      encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}
