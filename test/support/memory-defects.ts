import type { DefectCounts } from '../../services/kernel/defect-counts.ts';
import {
  CRASH_BREAKER_LIMITS, createCrashBreaker, type CrashBreaker,
} from '../../services/workers/common/crash-breaker.ts';
import {
  createItemDefects, type ItemDefects,
} from '../../services/workers/parties/common/item-defects.ts';

/** Counts as Redis keeps them: they outlive each process of a test. */
export function memoryDefects(counts = new Map<string, number>()): DefectCounts {
  return {
    load: async () => new Map(counts),
    add: async (names) => {
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    clear: async (names) => { for (const name of names) counts.delete(name); },
  };
}

/** The breaker of a worker whose counts are in memory. */
export function memoryBreaker(counts?: Map<string, number>): CrashBreaker {
  return createCrashBreaker(CRASH_BREAKER_LIMITS, memoryDefects(counts));
}

/** What a sender knows of its items, in memory. */
export function memoryItemDefects(counts?: Map<string, number>): ItemDefects {
  return createItemDefects(CRASH_BREAKER_LIMITS, memoryDefects(counts));
}
