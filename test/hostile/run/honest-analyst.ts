import { setTimeout as delay } from 'node:timers/promises';
import type { OffenderEnv } from '../offender.ts';

/** An analyst who asks for fresh figures all the time. */
export interface HonestAnalyst {
  /** Queries that failed since this was asked last. */
  failed(): number;
  close(): Promise<void>;
}

const EVERY_MS = 500;
const QUERY = `SELECT device_id, count(), max(ts) FROM v_locations
  WHERE ts > now() - INTERVAL 1 HOUR GROUP BY device_id`;

/** Starts the analyst; a query must be answered within its limit of time. */
export function startAnalyst({ url, user, password, database }: OffenderEnv['tables']): HonestAnalyst {
  const leaving = new AbortController();
  let failures = 0;
  async function work(): Promise<void> {
    while (!leaving.signal.aborted) {
      const isOk = await fetch(`${url}/?database=${database}`, {
        method: 'POST', body: QUERY, signal: leaving.signal,
        headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
      }).then(async (answer) => {
        await answer.text();
        return answer.ok;
      }, () => leaving.signal.aborted);
      if (!isOk) failures += 1;
      await delay(EVERY_MS, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  }
  const ended = work();
  return {
    failed() {
      const seen = failures;
      failures = 0;
      return seen;
    },
    async close() {
      leaving.abort();
      await ended;
    },
  };
}
