/** Most types that are kept of one client; of more the first in their order. */
export const ENTITY_TYPES_MAX = 32;

/**
 * The types of the entities of a client with those of further registrations. The least of all that
 * were ever seen, so that any order and any repetition of facts ends in the same.
 */
export function foldEntityTypes(
  kept: readonly string[], seen: readonly string[],
): readonly string[] {
  return [...new Set([...kept, ...seen])].sort(byUnits).slice(0, ENTITY_TYPES_MAX);
}

/** The same order on every machine, whatever its language. */
function byUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
