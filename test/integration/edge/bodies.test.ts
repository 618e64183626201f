import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BODY_WAYS, locationsBody, openEdge, problemOf, type Edge } from '../../support/edge.ts';
import { readJsonCases } from '../../support/json-test-suite/read-cases.ts';

const MEBIBYTE = 1_048_576;
const GZIP = { 'content-encoding': 'gzip' };

/** A good body of exactly so many bytes. */
function bodyOfBytes(bytes: number): string {
  const empty = JSON.stringify({ ...locationsBody(), padding: '' });
  return JSON.stringify({ ...locationsBody(), padding: 'x'.repeat(bytes - empty.length) });
}

let bomb: Buffer | undefined;

describe.each(BODY_WAYS)('a body at the edge, %s', (_way, wishes) => {
  let edge: Edge;

  // Packing takes seconds in which no line can be served, so it is over before there are any.
  beforeAll(async () => {
    bomb ??= gzipSync(Buffer.alloc(200 * MEBIBYTE, 0x20), { level: 9 });
    edge = await openEdge(wishes);
  });
  afterAll(() => edge.close());

  async function codeOf(
    body: string | Buffer, headers: Readonly<Record<string, string | null>> = {},
  ): Promise<string> {
    const appended = edge.log.appended.length;
    const response = await edge.post(body, { headers });
    if (response.status === 202) return 'accepted';
    expect(response.status).toBe(400);
    expect(edge.log.appended).toHaveLength(appended);
    return (await problemOf(response)).code;
  }

  it('[GEN-17] of 1 MiB is taken, one byte more is refused', async () => {
    expect(await codeOf(bodyOfBytes(MEBIBYTE))).toBe('accepted');
    expect(await codeOf(bodyOfBytes(MEBIBYTE + 1))).toBe('payload_too_large');
  });

  it('[GEN-17] whose length is not announced has the same limit', async () => {
    const chunked = async (text: string): Promise<number> => {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          const bytes = Buffer.from(text);
          for (let at = 0; at < bytes.length; at += 65_536) {
            controller.enqueue(bytes.subarray(at, at + 65_536));
          }
          controller.close();
        },
      });
      const response = await fetch(
        `${edge.url}/shipping/rtt/georeceiver/acme/locations?country_id=BR`, {
          method: 'POST', body: stream, duplex: 'half',
          headers: {
            'content-type': 'application/json', authorization: `Bearer 00${'t'.repeat(43)}`,
          },
        },
      );
      return response.status;
    };
    expect(await chunked(bodyOfBytes(MEBIBYTE))).toBe(202);
    expect(await chunked(bodyOfBytes(MEBIBYTE + 1))).toBe(400);
  });

  it('[GEN-19] packed with gzip is taken, and counted unpacked', async () => {
    expect(await codeOf(gzipSync(JSON.stringify(locationsBody())), GZIP)).toBe('accepted');
    expect(await codeOf(gzipSync(bodyOfBytes(MEBIBYTE)), GZIP)).toBe('accepted');
    expect(await codeOf(gzipSync(bodyOfBytes(MEBIBYTE + 1)), GZIP)).toBe('payload_too_large');
  });

  it('[GEN-19] of 1 MiB that gzip makes larger is taken', async () => {
    const noise = Array.from({ length: 900_000 }, (_, at) => (at * 2_654_435_761 >>> 8) % 64)
      .map((n) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[n])
      .join('');
    const body = JSON.stringify({ ...locationsBody(), padding: noise });
    expect(await codeOf(gzipSync(body, { level: 0 }), GZIP)).toBe('accepted');
  });

  it('[GEN-20] that is a gzip bomb stops at the limit', async () => {
    expect(bomb?.length).toBeLessThan(MEBIBYTE);
    const before = process.memoryUsage().rss;
    expect(await codeOf(bomb!, GZIP)).toBe('payload_too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEBIBYTE);
  });

  it('[GEN-20] of endless empty gzip members is refused', async () => {
    const member = gzipSync('');
    const members = Buffer.concat(Array.from({ length: 60_000 }, () => member));
    expect(await codeOf(members, GZIP)).toBe('payload_too_large');
  });

  it('[GEN-20] that is broken gzip is refused', async () => {
    const packed = gzipSync(JSON.stringify(locationsBody()));
    expect(await codeOf(packed.subarray(0, packed.length - 9), GZIP)).toBe('malformed_body');
    expect(await codeOf(Buffer.from('not gzip at all'), GZIP)).toBe('malformed_body');
    expect(await codeOf(Buffer.alloc(0), GZIP)).toBe('malformed_body');
    const flipped = Buffer.from(packed);
    flipped[30] = (flipped[30] ?? 0) ^ 0xff;
    expect(await codeOf(flipped, GZIP)).toMatch(/^malformed_(body|json)$/);
  });

  it.each([
    [{ 'content-type': 'application/json' }, 'accepted'],
    [{ 'content-type': 'Application/JSON; charset=UTF-8' }, 'accepted'],
    [{ 'content-type': 'application/json;charset="utf-8"' }, 'accepted'],
    [{ 'content-type': 'application/json; charset=latin1' }, 'unsupported_media_type'],
    [{ 'content-type': 'text/plain' }, 'unsupported_media_type'],
    [{ 'content-type': 'application/jsonx' }, 'unsupported_media_type'],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 'unsupported_media_type'],
    [{ 'content-type': 'text/json' }, 'accepted'],
    [{ 'content-type': 'application/vnd.acme.v2+json; charset=utf-8' }, 'accepted'],
    [{ 'content-encoding': 'identity' }, 'accepted'],
    [{ 'content-encoding': 'br' }, 'unsupported_media_type'],
    [{ 'content-encoding': 'deflate' }, 'unsupported_media_type'],
    [{ 'content-encoding': 'gzip, gzip' }, 'unsupported_media_type'],
  ])('[GEN-13] [GEN-22] with %j is %s', async (headers, code) => {
    expect(await codeOf(JSON.stringify(locationsBody()), headers)).toBe(code);
  });

  it('[GEN-22] without a content type is read as JSON', async () => {
    const body = Buffer.from(JSON.stringify(locationsBody()));
    expect(await codeOf(body, { 'content-type': null })).toBe('accepted');
    expect(await codeOf(Buffer.from('nonsense'), { 'content-type': null })).toBe('malformed_json');
  });

  it('[GEN-36] one byte order mark before the body is not part of it', async () => {
    const text = JSON.stringify(locationsBody());
    expect(await codeOf(`\uFEFF${text}`, {})).toBe('accepted');
    expect(await codeOf(`\uFEFF${text.replace('{', '{"note":"\\u00e9",')}`, {})).toBe('accepted');
    expect(await codeOf(`\uFEFF\uFEFF${text}`, {})).toBe('malformed_json');
    expect(await codeOf('\uFEFF', {})).toBe('malformed_json');
  });

  it.each([
    ['GEN-14', '{"device_id":"a","device_id":"b"}', 'duplicate_key'],
    ['GEN-14', `${JSON.stringify(locationsBody())} {}`, 'malformed_json'],
    ['GEN-15', JSON.stringify({ ...locationsBody(), m: {} }), 'reserved_name'],
    ['LOC-19', JSON.stringify(locationsBody(1_001)), 'payload_too_large'],
    ['LOC-19', JSON.stringify(locationsBody(1_000)), 'accepted'],
    ['GEN-01', '', 'malformed_json'],
    ['GEN-01', 'null', 'validation_failed'],
    ['GEN-01', '[]', 'validation_failed'],
  ])('[%s] %.60s is %s', async (_row, body, code) => {
    expect(await codeOf(body)).toBe(code);
  });

  it('[GEN-24] with a number that cannot be kept exactly is refused', async () => {
    const good = JSON.stringify(locationsBody()).replace('"altitude"', '"altitude"');
    for (const number of ['9223372036854775808', '9007199254740992.5', '-9223372036854775808', '1e16']) {
      const body = good.replace('"device_id"', `"other":${number},"device_id"`);
      expect(await codeOf(body), number).toBe('number_out_of_range');
    }
    const largest = good.replace('"device_id"', '"other":9223372036854775807,"device_id"');
    expect(await codeOf(largest)).toBe('accepted');
  });

  it('[GEN-21] of depth 20 is taken, of depth 21 refused', async () => {
    const deep = (levels: number): string => JSON.stringify(locationsBody())
      .replace('"device_id"', `"other":${'['.repeat(levels)}${']'.repeat(levels)},"device_id"`);
    expect(await codeOf(deep(19))).toBe('accepted');
    expect(await codeOf(deep(20))).toBe('too_deep');
    expect(await codeOf(deep(100_000))).toBe('too_deep');
  });

  it('[GEN-32] reaches the log whole, with unknown fields, and written again', async () => {
    const text = JSON.stringify({ ...locationsBody(), future: { a: [1.50, '\u00e9'] } }, null, 2);
    expect(await codeOf(text)).toBe('accepted');
    const stored = Buffer.from(edge.log.appended.at(-1)!.bytes).toString('utf8');
    expect(stored).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('[LOC-20] with one fault among many locations stores nothing and names the place', async () => {
    const body = locationsBody(1_000);
    body.locations[998] = { ...body.locations[998], latitude: -91 };
    const appended = edge.log.appended.length;
    const response = await edge.post(JSON.stringify(body));
    expect(await problemOf(response)).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/locations/998/latitude', code: 'minimum' }],
    });
    expect(edge.log.appended).toHaveLength(appended);
  });

  it('[GEN-01] of the public corpus is never answered with a 5xx', async () => {
    for (const { name, bytes, mustBeAccepted } of readJsonCases()) {
      const code = await codeOf(bytes);
      expect(code, name).not.toBe('accepted');
      if (mustBeAccepted) expect(code, name).not.toBe('malformed_json');
    }
  });
});
