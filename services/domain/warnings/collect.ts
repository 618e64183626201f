import type { FoundWarnings, Warning, WarningCode } from '../../kernel/warnings.ts';

/** Warnings of one code that are listed: a mistake of a program repeats itself in every item. */
const LISTED_EACH_MAX = 4;

/** Takes one warning. */
export type Warn = (pointer: string, code: WarningCode, message: string) => void;

/** Takes warnings, lists the first of each code and counts all. */
export function createCollector(): { readonly warn: Warn; readonly result: () => FoundWarnings } {
  const listed: Warning[] = [];
  const counts = new Map<WarningCode, number>();
  let found = 0;
  return {
    warn(pointer, code, message) {
      found += 1;
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count <= LISTED_EACH_MAX) listed.push({ pointer, code, message });
    },
    result: () => ({ listed, found }),
  };
}
