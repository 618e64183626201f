import { setTimeout as delay } from 'node:timers/promises';
import type { OffenderEnv } from '../offender.ts';

/** What the honest analyst saw in a span of time. */
export interface AnalystFigures {
  readonly failedQueries: number;
  /** Age of the newest honest fix in the tables, at its worst. */
  readonly staleMsMax: number;
}

/** An analyst who asks all the time how fresh the tables are. */
export interface HonestAnalyst {
  /** What was seen since this was asked last. */
  seen(): AnalystFigures;
  close(): Promise<void>;
}

const EVERY_MS = 500;

/** Notifications of a carrier that were kept apart, since their numbers are another's. */
export async function countDisputed(
  tables: OffenderEnv['tables'], clientId: string,
): Promise<number> {
  const answer = await ask(tables, `SELECT count() FROM v_journeys
    WHERE client_id = '${clientId}' AND outcome = 'disputed' FORMAT TabSeparated`);
  if (!answer.ok) throw new Error(`The disputes could not be counted: ${await answer.text()}`);
  return Number(await answer.text());
}

/** Starts the analyst, who asks about all providers but the guest. */
export function startAnalyst(
  tables: OffenderEnv['tables'], guest: string,
): HonestAnalyst {
  const query = `SELECT dateDiff('millisecond', max(received_at), now64(3)) FROM v_locations
    WHERE provider != '${guest}' AND ts > now() - INTERVAL 2 HOUR FORMAT TabSeparated`;
  const leaving = new AbortController();
  let failedQueries = 0;
  let staleMsMax = 0;

  async function inspect(): Promise<void> {
    const answer = await ask(tables, query, leaving.signal);
    const text = await answer.text();
    if (answer.ok) staleMsMax = Math.max(staleMsMax, Number(text));
    else failedQueries += 1;
  }

  async function work(): Promise<void> {
    while (!leaving.signal.aborted) {
      await inspect().catch(() => { failedQueries += leaving.signal.aborted ? 0 : 1; });
      await delay(EVERY_MS, undefined, { signal: leaving.signal }).catch(() => undefined);
    }
  }

  const ended = work();
  return {
    seen() {
      const seen = { failedQueries, staleMsMax };
      [failedQueries, staleMsMax] = [0, 0];
      return seen;
    },
    async close() {
      leaving.abort();
      await ended;
    },
  };
}

function ask(
  { url, user, password, database }: OffenderEnv['tables'], query: string, signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${url}/?database=${database}`, {
    method: 'POST', body: query, ...(signal === undefined ? {} : { signal }),
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
  });
}
