import { createFeedCursor, type FeedCursor } from '../../services/gateways/live/feed-cursor.ts';
import { LIVE_LIMITS, type LiveLimits } from '../../services/gateways/live/limits.ts';
import { overflowFold } from '../../services/kernel/read-overflow.ts';
import type { MapSeed } from '../../services/gateways/live/seed-map.ts';
import type { FixOffer } from '../../services/kernel/fixes.ts';
import type { OffsetSeals } from '../../services/kernel/offset-seals.ts';
import type { LogRecord } from '../../services/kernel/record-log.ts';
import { TOPICS } from '../../schemas/generated/catalog.ts';

/** Seals that can be read in a failing test. */
export const OPEN_SEALS: OffsetSeals = {
  seal: (offsets, feed) => `${feed.replaceAll(' ', '_')}.${Buffer.from(offsets).toString('hex')}`,
  open(text, feed) {
    const [name, hex] = text.split('.');
    if (name !== feed.replaceAll(' ', '_') || hex === undefined) return undefined;
    return Buffer.from(hex, 'hex');
  },
};

/** Limits of a test; what it does not name is that of every deployment. */
export function limitsWith(more: Partial<LiveLimits> = {}): LiveLimits {
  return { ...LIVE_LIMITS, ...more };
}

/** A cursor over one partition of each topic, two of the first, at a place. */
export function cursorAt(
  topics: readonly string[], offsets: readonly number[] = [], topicId = 'id',
): FeedCursor {
  const layout = topics.flatMap((topic, nth) => [0, ...nth === 0 ? [1] : []].map((partition) => (
    { topic, topicId: `${topicId}-${topic}`, partition }
  )));
  return createFeedCursor(layout, layout.map((_, at) => offsets[at] ?? 0));
}

/** A record as the log has it. */
export function logRecord(
  output: keyof typeof TOPICS, offset: number, key: string, value: unknown,
  more: Partial<LogRecord> = {},
): LogRecord {
  return {
    topic: TOPICS[output].name, topicId: `id-${TOPICS[output].name}`, partition: 0,
    offset: BigInt(offset), key, value: Buffer.from(JSON.stringify(value)), schemaId: 1,
    headers: {}, timestampMs: 1_764_000_000_000, ...more,
  };
}

/** A post of one fix of a device, at a second. */
export function post(
  offset: number, deviceId: string, second: number, latitude: number,
  { client = '1', provider = 'acme', partition = 0 } = {},
): LogRecord {
  const timestamp = 1_764_000_000 + second;
  return logRecord('locations', offset, deviceId, {
    device_id: deviceId, post_timestamp: timestamp,
    locations: [{ timestamp, country_id: 'BR', latitude, longitude: 11.5 }],
  }, {
    partition,
    headers: {
      client, provider, 'country': 'BR', 'n': '1', 'received-at': String(timestamp * 1_000),
      'ingest-id': `post-${deviceId}-${offset}`,
    },
  });
}

/** The last fix of a device as the state store has it. */
export function lastFix(
  deviceId: string, second: number, latitude: number,
): Omit<FixOffer, 'recordId'> {
  const timestamp = 1_764_000_000 + second;
  return {
    client_id: '1', device_id: deviceId, timestamp, latitude, longitude: 11.5, country_id: 'BR',
    received_at_ms: timestamp * 1_000, provider: 'acme',
  };
}

/** What a map begins with; without anything else only these devices. */
export function seedOf(fixes: MapSeed['fixes'] = [], more: Partial<MapSeed> = {}): MapSeed {
  return { fixes, stops: [], stoppedFixes: [], overflow: overflowFold.empty(), ...more };
}
