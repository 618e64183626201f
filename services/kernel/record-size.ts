import type { Refusal } from './http.ts';
import type { OutgoingRecord } from './record-log.ts';

// The head of a batch, the lengths around key and value, and the frame of the value.
const OVERHEAD_BYTES = 128 + 64 + 5;
const HEADER_OVERHEAD_BYTES = 10;

/**
 * Room for what a record gets on its way: the headers of a trace, and of one that is sent again
 * where it was first.
 */
export const TRAVEL_BYTES = 1_024;

/** A record that its topic can never take, whenever it is sent: what it is made of is too large. */
export class RecordTooLarge extends Error {
  constructor(topic: string, bytes: number, bytesMax: number) {
    super(`a record of ${bytes} bytes does not fit into ${topic}, which takes ${bytesMax}`);
    this.name = 'RecordTooLarge';
  }
}

/** Bytes that a record takes of its topic's limit. */
export function recordBytes({ key, value, headers }: OutgoingRecord): number {
  return Object.entries(headers).reduce(
    (bytes, [name, text]) => (
      bytes + Buffer.byteLength(name) + Buffer.byteLength(text) + HEADER_OVERHEAD_BYTES
    ),
    OVERHEAD_BYTES + Buffer.byteLength(key) + value.length,
  );
}

/** True when a new record fits into its topic now, and each time that it is sent again. */
export function fitsOnItsWay(record: OutgoingRecord, topicBytesMax: number): boolean {
  return recordBytes(record) + TRAVEL_BYTES <= topicBytesMax;
}

/** How a body, or the member of it at `pointer`, is refused that makes too large a record. */
export function tooLarge(pointer = ''): Refusal {
  const message = 'makes a record that the log cannot take. Send less: what is personal, and what'
    + ' the interface does not name, is sealed and then takes a third more than it was sent with.';
  return {
    code: 'payload_too_large',
    detail: `${pointer === '' ? 'The body' : pointer} ${message}`,
    errors: [{ pointer, code: 'payload_too_large', message }],
  };
}
