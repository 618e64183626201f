import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createByteBudget } from '../../../services/adapters/http/request/budget.ts';
import { readBody, unpackBody } from '../../../services/adapters/http/request/read-body.ts';

const BYTES_MAX = 10_000;
const AT_ONCE_MAX = 1_000;

const reservation = () => createByteBudget(1_000_000).reservation();
const requestOf = (packed: Buffer) => Object.assign(
  Readable.from([packed]), { headers: { 'content-encoding': 'gzip' } },
) as unknown as IncomingMessage;
const read = (packed: Buffer, bytesMax = BYTES_MAX) => (
  readBody(requestOf(packed), bytesMax, AT_ONCE_MAX, reservation())
);

describe('[GEN-20] a packed body', () => {
  it('is unpacked at once up to so many bytes', async () => {
    const bytes = Buffer.alloc(AT_ONCE_MAX, 'x');
    expect(await read(gzipSync(bytes))).toEqual({ kind: 'bytes', bytes });
  });

  it.each([
    ['that unpacks to more', gzipSync(Buffer.alloc(AT_ONCE_MAX + 1, 'x'))],
    ['that is larger as it came', gzipSync(Buffer.alloc(AT_ONCE_MAX + 1), { level: 0 })],
  ])('%s stays packed until its time among large bodies', async (_, packed) => {
    expect(await read(packed)).toEqual({ kind: 'packed', packed });
    expect(await unpackBody(packed, BYTES_MAX, reservation())).toMatchObject({ kind: 'bytes' });
  });

  it('above the limit of its operation is refused, now or then', async () => {
    const packed = gzipSync(Buffer.alloc(BYTES_MAX + 1, 'x'));
    const tooLarge = { kind: 'refused', refusal: { code: 'payload_too_large' } };
    expect(await read(packed)).toMatchObject({ kind: 'packed' });
    expect(await unpackBody(packed, BYTES_MAX, reservation())).toMatchObject(tooLarge);
    expect(await read(packed, AT_ONCE_MAX)).toMatchObject(tooLarge);
    expect(await read(packed, AT_ONCE_MAX - 1)).toMatchObject(tooLarge);
  });
});
