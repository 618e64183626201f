import type { LogRecord } from '../../kernel/record-log.ts';

const INTEGER = /^-?\d{1,16}$/;

/** When the gateway took the record, in ms; the broker's time where the header is missing. */
export function receivedAtMs(record: Pick<LogRecord, 'headers' | 'timestampMs'>): number {
  const sent = record.headers['received-at'] ?? '';
  return INTEGER.test(sent) ? Number(sent) : record.timestampMs;
}
