import type { FixOffer } from './fixes.ts';
import type { LogRecord } from './record-log.ts';
import { isFields, isFiniteNumber, isWhole, type Fields } from './json-fields.ts';
import type { FixConfig } from './plausible-fix.ts';
import { newestFix } from './newest-fix.ts';

/**
 * The newest fix of one post that may be a last position, `none` when none may, or undefined when
 * the record is not such a post. Client, device, provider and country are what was admitted, from
 * key and headers, never from the body.
 */
export function chooseFix(
  config: FixConfig, record: LogRecord,
): FixOffer | 'none' | undefined {
  const { client, provider, country } = record.headers;
  const receivedAtMs = Number(record.headers['received-at'] ?? Number.NaN);
  if (!client || !provider || !country) return undefined;
  if (!isWhole(receivedAtMs) || record.key === '') return undefined;

  const newest = newestFix(config, record, receivedAtMs / 1000);
  if (newest === undefined || newest === 'none') return newest;
  const { topicId, partition, offset } = record;
  return {
    client_id: client, device_id: record.key,
    timestamp: newest.timestamp, latitude: newest.latitude, longitude: newest.longitude,
    country_id: country, ...movement(newest.rest),
    received_at_ms: receivedAtMs, provider,
    recordId: { topicId, partition, offset },
  };
}

function movement(fix: Fields): Pick<FixOffer, 'speed' | 'bearing' | 'ignition'> {
  const telemetry = isFields(fix['telemetry']) ? fix['telemetry'] : {};
  const { speed, ignition } = telemetry;
  const { bearing } = fix;
  return {
    ...(isFiniteNumber(speed) ? { speed } : {}),
    ...(isFiniteNumber(bearing) ? { bearing } : {}),
    ...(typeof ignition === 'boolean' ? { ignition } : {}),
  };
}
