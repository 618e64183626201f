import { setTimeout as delay } from 'node:timers/promises';

/** Asks ClickHouse as the analyst does. */
export type Query = <Row>(
  sql: string, parameters?: Readonly<Record<string, unknown>>,
) => Promise<readonly Row[]>;

/** Milliseconds from the receipt of a call to the moment its rows could be queried. */
export interface Freshness {
  /** Reads once the rows that are new since the last poll. */
  readonly poll: () => Promise<void>;
  /** Polls until the signal. A poll that fails is repeated: tables may be away while one works. */
  readonly follow: (ended: AbortSignal) => Promise<void>;
  /** Why the newest poll failed; undefined when it did not. */
  readonly failure: () => string | undefined;
  readonly percentile: (fraction: number) => number;
  /** Rows seen so far. */
  readonly seen: () => number;
}

const POLL_MS = 250;

interface NewRows {
  readonly received_ms: string;
  readonly items: string;
}

/**
 * Measures freshness as an analyst would see it: by looking for new rows through the same port. The
 * time between two looks is part of every figure, so figures err on the slow side.
 */
export function watchFreshness(query: Query, sinceMs: number): Freshness {
  const counted = new Map<number, number>();
  const samples: number[] = [];
  let failed: string | undefined;

  async function poll(): Promise<void> {
    const rows = await query<NewRows>(`
      SELECT toUnixTimestamp64Milli(received_at) AS received_ms, count() AS items
      FROM v_locations WHERE received_at >= fromUnixTimestamp64Milli({since:Int64})
      GROUP BY received_ms`, { since: sinceMs });
    const now = Date.now();
    for (const row of rows) {
      const receivedMs = Number(row.received_ms);
      const fresh = Number(row.items) - (counted.get(receivedMs) ?? 0);
      if (fresh <= 0) continue;
      counted.set(receivedMs, Number(row.items));
      for (let i = 0; i < fresh; i++) samples.push(now - receivedMs);
    }
  }

  return {
    poll,
    async follow(ended) {
      while (!ended.aborted) {
        failed = await poll().then(() => undefined, messageOf);
        await delay(POLL_MS, undefined, { signal: ended }).catch(() => undefined);
      }
    },
    failure: () => failed,
    seen: () => samples.length,
    percentile(fraction) {
      const sorted = samples.toSorted((left, right) => left - right);
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
