const DAY_S = 86_400;
const BACK_S = 200 * DAY_S;
const STEP_S = 14 * DAY_S;

/**
 * First seconds of orders, each two weeks after the last: young enough to be kept (400 days), and
 * apart enough that no fix of one is a duplicate of another's.
 */
export function firstSeconds(nowMs: number): () => number {
  let next = Math.floor(nowMs / 1_000) - BACK_S;
  return () => {
    const first = next;
    next += STEP_S;
    return first;
  };
}
