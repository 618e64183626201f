/** A GCRA bucket at one moment; times in milliseconds. */
export interface Bucket {
  readonly burst: number;
  fits(cost: number): boolean;
  take(cost: number): void;
  remaining(): number;
  fullAgainSeconds(): number;
  waitSeconds(): number;
}

/** Looks at one bucket, as `scripts/gcra.lua` does. */
export function look(
  buckets: Map<string, number>, name: string, nowMs: number,
  limit: { readonly intervalMs: number; readonly burst: number },
): Bucket {
  const { intervalMs, burst } = limit;
  const windowMs = intervalMs * burst;
  let emptyAtMs = Math.max(buckets.get(name) ?? nowMs, nowMs);
  return {
    burst,
    fits: (cost) => emptyAtMs - nowMs + Math.min(cost, burst) * intervalMs <= windowMs,
    take: (cost) => {
      emptyAtMs += cost * intervalMs;
      buckets.set(name, emptyAtMs);
    },
    remaining: () => Math.max(Math.floor((windowMs - (emptyAtMs - nowMs)) / intervalMs), 0),
    fullAgainSeconds: () => Math.ceil((emptyAtMs - nowMs) / 1000),
    waitSeconds: () => Math.max(Math.ceil((emptyAtMs - nowMs + intervalMs - windowMs) / 1000), 1),
  };
}
