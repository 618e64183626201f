import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Refusal } from '../../../kernel/http.ts';
import type { ByteBudget } from './budget.ts';
import { encodingOf } from './media-type.ts';

/** Bytes of a body after decompression, or why there are none; `gone`: the caller hung up. */
export type BodyReading =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'gone' };

// What does not compress grows a little by it; more than this cannot end within the limit.
const PACKED_GROWTH = 1.01;
const PACKED_OVERHEAD_BYTES = 1_024;

const unpack = promisify(gunzip) as (
  packed: Buffer, options: { maxOutputLength: number },
) => Promise<Buffer>;

/**
 * Reads a body of at most `bytesMax` after decompression. Stops at the limit, whatever the headers
 * say; a gzip bomb is never unpacked beyond it. Bytes are counted in `budget` until `release`.
 */
export async function readBody(
  request: IncomingMessage, bytesMax: number, budget: ByteBudget,
): Promise<BodyReading & { readonly release: () => void }> {
  const isPacked = encodingOf(request) === 'gzip';
  const wireBytesMax = isPacked
    ? Math.ceil(bytesMax * PACKED_GROWTH) + PACKED_OVERHEAD_BYTES
    : bytesMax;
  let taken = 0;
  const take = (bytes: number): boolean => {
    if (!budget.take(bytes)) return false;
    taken += bytes;
    return true;
  };
  const release = (): void => {
    budget.give(taken);
    taken = 0;
  };
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > wireBytesMax) return { ...refused(tooLarge(bytesMax)), release };
  const wire = await collect(request, wireBytesMax, take);
  if (wire === 'gone') return { kind: 'gone', release };
  if (wire === 'over') return { ...refused(tooLarge(bytesMax)), release };
  if (wire === 'full') return { ...refused(full()), release };
  if (!isPacked) return { kind: 'bytes', bytes: wire, release };
  return { ...(await unpacked(wire, bytesMax, take)), release };
}

/** Collects what arrives. After an early end the rest is left to the caller to discard. */
function collect(
  request: IncomingMessage, bytesMax: number, take: (bytes: number) => boolean,
): Promise<Buffer | 'gone' | 'over' | 'full'> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let isOver = false;
    // Listeners stay: taking them off costs more than asking, and a line that breaks later must not
    // be an uncaught error.
    const end = (result: Buffer | 'gone' | 'over' | 'full'): void => {
      isOver = true;
      chunks = [];
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      if (isOver) return;
      length += chunk.length;
      if (length > bytesMax) end('over');
      else if (!take(chunk.length)) end('full');
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      if (!isOver) end(chunks[0]?.length === length ? chunks[0] : Buffer.concat(chunks, length));
    };
    const onGone = (): void => {
      if (!isOver) end('gone');
    };
    request.on('error', onGone).on('data', onData).on('end', onEnd).on('close', onGone);
  });
}

async function unpacked(
  packed: Buffer, bytesMax: number, take: (bytes: number) => boolean,
): Promise<BodyReading> {
  try {
    const bytes = await unpack(packed, { maxOutputLength: bytesMax });
    return take(bytes.length) ? { kind: 'bytes', bytes } : refused(full());
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
