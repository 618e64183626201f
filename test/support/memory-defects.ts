import type { DefectCounts } from '../../services/kernel/defect-counts.ts';

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
