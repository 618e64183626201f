import type { LogRecord } from '../../kernel/record-log.ts';
import { originalRecordId } from '../../kernel/record-id.ts';
import { receivedAtMs } from '../common/received-at.ts';

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const INTEGER = /^-?\d{1,16}$/;

/**
 * The record's value with `"m":{…}` in front: device, owner, provider, country, transport, time of
 * receipt, position and topic id come from what was admitted, never from the body (contract
 * GEN-16). The body itself is not parsed. Undefined when the value is not an object with at least
 * one key. A record that was put back after repair has the place that it had first.
 */
export function spliceMetadata(record: LogRecord): Uint8Array | undefined {
  const { value } = record;
  if (value[0] !== OPENING_BRACE || !hasKey(value)) return undefined;
  const prefix = Buffer.from(`{"m":${metadataText(record)},`);
  return Buffer.concat([prefix, value.subarray(1)], prefix.length + value.length - 1);
}

/** Number of items that the gateway counted in the record; at least 1. */
export function itemsOf(record: Pick<LogRecord, 'headers'>): number {
  const counted = Number(record.headers['n'] ?? 1);
  return Number.isSafeInteger(counted) && counted > 0 ? counted : 1;
}

function metadataText(record: LogRecord): string {
  const { headers } = record;
  const transport = headers['transport'] ?? '';
  const recordId = originalRecordId(record);
  const text = (name: string): string => JSON.stringify(headers[name] ?? '');
  // Offsets and transport ids are written as digits, since a number could not hold them all.
  return `{"d":${JSON.stringify(record.key)},"o":${text('client')},"p":${text('provider')}`
    + `,"c":${text('country')},"t":${INTEGER.test(transport) ? BigInt(transport) : 0}`
    + `,"r":${receivedAtMs(record)},"kp":${recordId.partition},"ko":${recordId.offset}`
    + `,"ki":${JSON.stringify(recordId.topicId)}}`;
}

/** False for `{}`, also with white space inside, where a comma would be one too many. */
function hasKey(value: Uint8Array): boolean {
  for (let i = 1; i < value.length; i += 1) {
    const byte = value[i] as number;
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) return byte !== CLOSING_BRACE;
  }
  return false;
}
