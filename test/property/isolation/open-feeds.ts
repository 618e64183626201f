import { systemClock } from '../../../services/adapters/system/system.ts';
import { topicsOf } from '../../../services/domain/live/facts.ts';
import { FACT_KINDS } from '../../../services/domain/live/scope.ts';
import type { LiveFeeds } from '../../../services/gateways/live/create-live.ts';
import { createFactFeed } from '../../../services/gateways/live/facts/fact-feed.ts';
import { FIX_TOPICS } from '../../../services/gateways/live/fixes/apply-records.ts';
import { createFixFeed } from '../../../services/gateways/live/fixes/fix-feed.ts';
import { LIVE_LIMITS } from '../../../services/gateways/live/limits.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { StreamLine } from '../../../services/kernel/stream-line.ts';
import type { TOPICS } from '../../../schemas/generated/catalog.ts';
import { cursorAt, logRecord, OPEN_SEALS, seedOf } from '../../support/live-feeds.ts';

/** A record that comes into the log while callers follow. */
export interface FollowedRecord {
  readonly output: keyof typeof TOPICS;
  readonly key: string;
  readonly value: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Both live feeds, which hold what a test hands them. */
export interface OpenFeeds {
  readonly live: LiveFeeds;
  /** Hands all that follow these records, then ends their streams behind them. */
  sayAndEnd(records: readonly FollowedRecord[]): void;
}

/** Opens the feeds of the product over a log in which nothing has happened. */
export function openFeeds(): OpenFeeds {
  const ports = { clock: systemClock, seals: OPEN_SEALS, signals: silentSignals };
  const fixes = createFixFeed(LIVE_LIMITS, ports);
  const facts = createFactFeed(LIVE_LIMITS, {
    ...ports,
    follower: { extents: async () => [] }, reader: { readRanges: async () => undefined },
  });
  fixes.begin(cursorAt(FIX_TOPICS), seedOf());
  facts.begin(cursorAt(topicsOf(FACT_KINDS)));
  const offsets = new Map<string, number>();
  const lines = new Set<StreamLine>();
  return {
    live: {
      fixes, facts, wake: async () => undefined,
      refuses: () => undefined, refusesLine: () => undefined,
      admit(_client, line) {
        lines.add(line);
        return () => { lines.delete(line); };
      },
    },
    sayAndEnd(records) {
      for (const { output, key, value, headers = {} } of records) {
        const offset = offsets.get(output) ?? 0;
        offsets.set(output, offset + 1);
        const record = logRecord(output, offset, key, value, { headers });
        fixes.take(record);
        facts.take(record);
      }
      fixes.tick();
      facts.tick();
      for (const line of [...lines]) line.end();
    },
  };
}
