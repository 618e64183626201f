import type { DefectCounts } from '../../../kernel/defect-counts.ts';
import { isUnavailable } from '../../../kernel/unavailable.ts';
import type { CrashBreakerConfig } from '../../common/crash-breaker.ts';

/** Keeps a sender from coming back forever to an item at which a defect ends its process. */
export interface ItemDefects {
  /** True for an item that is left alone from now on. Rejects while the state store is away. */
  isSetAside(name: string): Promise<boolean>;
  /** Runs an attempt of an item; a defect in it is counted before it ends the process. */
  guard(name: string, attempt: () => Promise<void>): Promise<void>;
}

/**
 * Counts ends of the process by item, as the breaker of batches does by record. Each attempt is of
 * one item, so that a defect names it at once. Too many of them say that the release is bad: then
 * none is set aside.
 */
export function createItemDefects(
  { endsMax, deadLettersMax }: CrashBreakerConfig, defects: DefectCounts,
): ItemDefects {
  let counts: ReadonlyMap<string, number> | undefined;

  async function isSetAside(name: string): Promise<boolean> {
    counts ??= await defects.load();
    const setAside = [...counts].filter(([, ends]) => ends >= endsMax).map(([each]) => each);
    return setAside.length <= deadLettersMax && setAside.includes(name);
  }

  return {
    isSetAside,
    async guard(name, attempt) {
      try {
        await attempt();
      } catch (error) {
        // The defect is what ends the process, also where it cannot be counted.
        if (!isUnavailable(error)) await defects.add([name]).catch(() => undefined);
        throw error;
      }
    },
  };
}
