import type { GateReport } from '../gate.ts';
import { placeRules } from './place-rules.ts';
import type { TidyRule } from './rule.ts';
import { readTree } from './tree.ts';
import { textRules } from './text-rules.ts';
import { wordRules } from './word-rules.ts';
import { workerRules } from './worker-rules.ts';

/** Every tidy rule there is; test/unit/tidy proves each of them on a bad sample. */
export const tidyRules: readonly TidyRule[] =
  [...textRules, ...wordRules, ...placeRules, ...workerRules];

/** Reads the tree under `root` once and holds every rule against it. */
export function inspectTree(root: string): GateReport {
  const files = readTree(root);
  const complaints = tidyRules.flatMap((rule) =>
    rule.offences(files).map((offence) => `${rule.name}: ${offence}`),
  );
  return { seen: files.length, complaints };
}
