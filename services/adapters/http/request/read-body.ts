import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Refusal } from '../../../kernel/http.ts';
import type { ByteReservation } from './budget.ts';
import { encodingOf } from './media-type.ts';
import { isGzip } from '../json/body-hints.ts';

/**
 * Bytes of a body after decompression, or why there are none; `packed`: it is larger than what is
 * unpacked at once; `gone`: the caller hung up.
 */
export type BodyReading =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'packed'; readonly packed: Buffer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'gone' };

type BytesOrRefusal = Extract<BodyReading, { kind: 'bytes' | 'refused' }>;

// What does not compress grows a little by it; more than this cannot end within the limit.
const PACKED_GROWTH = 1.01;
const PACKED_OVERHEAD_BYTES = 1_024;

// Each chunk is a way to another thread and back: 16 KiB, the default, takes a body of 6 MiB three
// times as long (24 and 7 ms of CPU). A larger one would make small bodies dearer.
const SMALL_PACKED_BYTES = 4_096;
const SMALL_CHUNK_BYTES = 65_536;
const LARGE_CHUNK_BYTES = 262_144;

const GONE: BodyReading = { kind: 'gone' };

const inflate = promisify(gunzip) as (
  packed: Buffer, options: { maxOutputLength: number; chunkSize: number },
) => Promise<Buffer>;

/**
 * Reads a body of at most `bytesMax` after decompression. Stops at the limit, whatever the headers
 * say; a gzip bomb is never unpacked beyond it, and one that is larger than `unpackedAtOnceMax` is
 * left to {@link unpackBody}. Bytes count in `reservation` until it is released.
 */
export async function readBody(
  request: IncomingMessage, bytesMax: number, unpackedAtOnceMax: number,
  reservation: ByteReservation,
): Promise<BodyReading> {
  if (request.destroyed) return GONE;
  const isPacked = encodingOf(request) === 'gzip';
  const wireBytesMax = isPacked
    ? Math.ceil(bytesMax * PACKED_GROWTH) + PACKED_OVERHEAD_BYTES
    : bytesMax;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > wireBytesMax) return refused(tooLarge(bytesMax));
  const reading = await collect(request, wireBytesMax, reservation);
  if (reading === 'over') return refused(tooLarge(bytesMax));
  if (!isPacked || reading.kind !== 'bytes') return reading;
  const { bytes: packed } = reading;
  const isLarge = packed.length > unpackedAtOnceMax && bytesMax > unpackedAtOnceMax;
  const atOnce = isLarge
    ? undefined : await unpack(packed, Math.min(bytesMax, unpackedAtOnceMax), reservation);
  return atOnce ?? (
    bytesMax > unpackedAtOnceMax ? { kind: 'packed', packed } : refused(tooLarge(bytesMax))
  );
}

/** Unpacks a body that was left packed: its time among large bodies has come. */
export async function unpackBody(
  packed: Buffer, bytesMax: number, reservation: ByteReservation,
): Promise<BytesOrRefusal> {
  return await unpack(packed, bytesMax, reservation) ?? refused(tooLarge(bytesMax));
}

/** Collects what arrives. After an early end the rest is left to the caller to discard. */
function collect(
  request: IncomingMessage, bytesMax: number, reservation: ByteReservation,
): Promise<BodyReading | 'over'> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    // Listeners stay: taking them off costs more than asking, and a line that breaks later must not
    // be an uncaught error.
    const end = (result: BodyReading | 'over'): void => {
      isOver = true;
      chunks = [];
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      if (isOver) return;
      length += chunk.length;
      if (length > bytesMax) end('over');
      else if (!reservation.take(chunk.length)) end(refused(full()));
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      if (isOver) return;
      const [first] = chunks;
      end({
        kind: 'bytes', bytes: first?.length === length ? first : Buffer.concat(chunks, length),
      });
    };
    const onGone = (): void => {
      if (!isOver) end(GONE);
    };
    request.on('error', onGone).on('data', onData).on('end', onEnd).on('close', onGone);
  });
}

/** Undefined for a body with more bytes than so many. */
async function unpack(
  packed: Buffer, bytesMax: number, reservation: ByteReservation,
): Promise<BytesOrRefusal | undefined> {
  try {
    const chunkSize = packed.length < SMALL_PACKED_BYTES ? SMALL_CHUNK_BYTES : LARGE_CHUNK_BYTES;
    const bytes = await inflate(packed, { maxOutputLength: bytesMax, chunkSize });
    return reservation.take(bytes.length) ? { kind: 'bytes', bytes } : refused(full());
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    return refused(notPacked(packed, code));
  }
}

function refused(refusal: Refusal): BytesOrRefusal {
  return { kind: 'refused', refusal };
}

function tooLarge(bytesMax: number): Refusal {
  return { code: 'payload_too_large', detail: `The body has more than ${bytesMax} bytes.` };
}

/** Why gzip that was said cannot be unpacked, as far as its bytes show it. */
function notPacked(packed: Buffer, code: unknown): Refusal {
  const beginsLikeJson = /^\s*[[{"]/.test(packed.toString('latin1', 0, 16));
  const why = code === 'Z_BUF_ERROR' ? ': it was cut off'
    : isGzip(packed) ? '' : `: it ${beginsLikeJson ? 'begins like JSON' : 'does not begin like gzip'}`;
  return { code: 'malformed_body', detail: `The gzip body cannot be decompressed${why}.` };
}

function full(): Refusal {
  return { code: 'capacity_exhausted', detail: 'The gateway holds as much work as it may.' };
}
