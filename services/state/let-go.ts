import type { EntryChange, StateEntry, StateKey } from '../kernel/state-store.ts';

/** The change that only says when an entry goes; nothing for one that is not there. */
export function leavingAt(
  key: StateKey, { version }: StateEntry, expireAtMs: number,
): readonly EntryChange[] {
  return version === 0 ? [] : [{ key, version, expireAtMs }];
}
