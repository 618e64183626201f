import { crc32 } from 'node:zlib';

/** What is known of a batch without its body: which call, of which device, with how many items. */
export interface EntryHead {
  readonly call: string;
  /** Batches with one key are sent in their order, one at a time. */
  readonly key: string;
  readonly items: number;
}

/** A batch as it is kept and sent: the same bytes each time. */
export interface SpoolDraft {
  readonly head: EntryHead;
  readonly body: Buffer;
}

/** An entry of a segment file, and where it ends there. */
export interface FoundEntry {
  readonly head: EntryHead;
  readonly start: number;
  readonly end: number;
}

/** Length and checksum, four bytes each, are before every entry. */
export const PREFIX_BYTES = 8;
const LINE_END = 0x0a;

/** An entry in bytes: length, CRC-32, a line of JSON with the head, and the body. */
export function encodeEntry({ head, body }: SpoolDraft): Buffer {
  const payload = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(payload.length, 0);
  prefix.writeUInt32LE(crc32(payload), 4);
  return Buffer.concat([prefix, payload]);
}

/** The whole entries of a segment, up to the first that is cut off or damaged. */
export function wholeEntries(bytes: Buffer): readonly FoundEntry[] {
  const found: FoundEntry[] = [];
  let start = 0;
  for (;;) {
    const payload = payloadAt(bytes, start);
    if (payload === undefined) return found;
    const end = start + PREFIX_BYTES + payload.length;
    found.push({ head: split(payload).head, start, end });
    start = end;
  }
}

/** The head and the body of one entry, or `undefined` when its bytes are not what was written. */
export function decodeEntry(bytes: Buffer): SpoolDraft | undefined {
  const payload = payloadAt(bytes, 0);
  return payload === undefined ? undefined : split(payload);
}

/** Zeros, which a file system may leave after a crash, are no entry: none is empty. */
function payloadAt(bytes: Buffer, start: number): Buffer | undefined {
  if (start + PREFIX_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(start);
  const end = start + PREFIX_BYTES + length;
  if (length === 0 || end > bytes.length) return undefined;
  const payload = bytes.subarray(start + PREFIX_BYTES, end);
  return crc32(payload) === bytes.readUInt32LE(start + 4) ? payload : undefined;
}

function split(payload: Buffer): SpoolDraft {
  const at = payload.indexOf(LINE_END);
  const head = JSON.parse(payload.toString('utf8', 0, at)) as EntryHead;
  return { head, body: payload.subarray(at + 1) };
}
