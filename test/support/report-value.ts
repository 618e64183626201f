import type { Report } from '../../services/cli/ports.ts';

/** What a command of the operator gave; throws what it printed when it failed. */
export function valueOf({ exitCode, lines, value }: Report): unknown {
  if (exitCode !== 0) throw new Error(JSON.stringify(lines));
  return value;
}
