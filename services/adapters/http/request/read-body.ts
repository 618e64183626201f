import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Refusal } from '../../../kernel/http.ts';
import type { ByteReservation } from './budget.ts';
import { encodingOf } from './media-type.ts';

/** Bytes of a body after decompression, or why there are none; `gone`: the caller hung up. */
export type BodyReading =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'gone' };

// What does not compress grows a little by it; more than this cannot end within the limit.
const PACKED_GROWTH = 1.01;
const PACKED_OVERHEAD_BYTES = 1_024;

const GONE: BodyReading = { kind: 'gone' };

const unpack = promisify(gunzip) as (
  packed: Buffer, options: { maxOutputLength: number },
) => Promise<Buffer>;

/**
 * Reads a body of at most `bytesMax` after decompression. Stops at the limit, whatever the headers
 * say; a gzip bomb is never unpacked beyond it. Bytes count in `reservation` until it is released.
 */
export async function readBody(
  request: IncomingMessage, bytesMax: number, reservation: ByteReservation,
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
  return isPacked && reading.kind === 'bytes' ? unpacked(reading.bytes, bytesMax, reservation) : reading;
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

async function unpacked(
  packed: Buffer, bytesMax: number, reservation: ByteReservation,
): Promise<BodyReading> {
  try {
    const bytes = await unpack(packed, { maxOutputLength: bytesMax });
    return reservation.take(bytes.length) ? { kind: 'bytes', bytes } : refused(full());
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ERR_BUFFER_TOO_LARGE') return refused(tooLarge(bytesMax));
    return refused({ code: 'malformed_body', detail: 'The gzip body cannot be decompressed.' });
  }
}

function refused(refusal: Refusal): BodyReading {
  return { kind: 'refused', refusal };
}

function tooLarge(bytesMax: number): Refusal {
  return { code: 'payload_too_large', detail: `The body has more than ${bytesMax} bytes.` };
}

function full(): Refusal {
  return { code: 'capacity_exhausted', detail: 'The gateway holds as much work as it may.' };
}
