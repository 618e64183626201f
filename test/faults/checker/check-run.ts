import type { CheckReport } from './report.ts';

/**
 * Judges a finished run from what it left in `directory` (run-files.ts) and from the stack, which
 * must still run: reads the whole log, both stores and the provider's record. With `wipe`, Redis is
 * emptied at the end and must come back the same (I3).
 */
export async function checkRun(
  _directory: string, _options: { readonly wipe: boolean },
): Promise<CheckReport> {
  throw new Error('not written yet');
}
