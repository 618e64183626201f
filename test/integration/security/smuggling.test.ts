import { afterEach, describe, expect, it } from 'vitest';
import { EDGE_TOKEN, locationsBody, openEdge, type Edge } from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
const LINE = 'POST /shipping/rtt/georeceiver/acme/locations?country_id=BR HTTP/1.1';
const HEAD = ['Host: edge', `Authorization: Bearer ${EDGE_TOKEN}`, 'Content-Type: application/json'];
const LENGTH = `Content-Length: ${BODY.length}`;
const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;

const bytesOf = (headers: readonly string[], body: string, line = LINE): string =>
  [line, ...headers, '', body].join('\r\n');

/** A whole second request, which only the one reader takes for one that the other does not see. */
const SECOND = bytesOf([...HEAD, LENGTH, CLOSE], BODY);

describe('a request that two readers would end at different places', () => {
  let edge: Edge | undefined;
  afterEach(async () => {
    await edge?.close();
    edge = undefined;
  });

  it('is distinguished from an honest one, and an honest one in chunks', async () => {
    edge = await openEdge();
    expect(await edge.raw(bytesOf([...HEAD, LENGTH, CLOSE], BODY))).toMatch(/^HTTP\/1\.1 202/);
    expect(await edge.raw(bytesOf([...HEAD, CHUNKED, CLOSE], CHUNKS))).toMatch(/^HTTP\/1\.1 202/);
    expect(edge.log.appended).toHaveLength(2);
  });

  it.each<[string, string]>([
    ['a length and chunks', bytesOf([...HEAD, LENGTH, CHUNKED], `0\r\n\r\n${SECOND}`)],
    ['chunks and a length', bytesOf([...HEAD, CHUNKED, 'Content-Length: 4'], CHUNKS + SECOND)],
    ['two lengths that differ', bytesOf([...HEAD, LENGTH, 'Content-Length: 0'], BODY + SECOND)],
    ['two equal lengths', bytesOf([...HEAD, LENGTH, LENGTH, CLOSE], BODY)],
    ['a list of lengths', bytesOf([...HEAD, `${LENGTH}, ${BODY.length}`, CLOSE], BODY)],
    ['a length with a sign', bytesOf([...HEAD, `Content-Length: +${BODY.length}`, CLOSE], BODY)],
    ['a length in hexadecimal', bytesOf([...HEAD, 'Content-Length: 0x3'], BODY + SECOND)],
    ['a folded header', bytesOf([...HEAD, 'X-A: a\r\n b', LENGTH, CLOSE], BODY)],
    ['a folded encoding', bytesOf([...HEAD, 'Transfer-Encoding:\r\n chunked'], CHUNKS + SECOND)],
    ['a blank before the colon', bytesOf([...HEAD, 'Transfer-Encoding : chunked'], CHUNKS + SECOND)],
    ['another encoding', bytesOf([...HEAD, 'Transfer-Encoding: xchunked'], CHUNKS + SECOND)],
    ['chunks that are not last', bytesOf([...HEAD, 'Transfer-Encoding: chunked, x'], CHUNKS + SECOND)],
    ['chunks twice', bytesOf([...HEAD, CHUNKED, 'Transfer-Encoding: identity'], CHUNKS + SECOND)],
    ['a vertical tab', bytesOf([...HEAD, 'Transfer-Encoding:\x0bchunked'], CHUNKS + SECOND)],
    ['lines without CR', bytesOf([...HEAD, LENGTH], BODY).replaceAll('\r\n', '\n')],
    ['CR alone in a header', bytesOf([...HEAD, `X-A: a\r${LENGTH}`, LENGTH, CLOSE], BODY)],
    ['LF alone in a header', bytesOf([...HEAD, 'X-A: a\nX-B: b', LENGTH, CLOSE], BODY)],
    ['NUL in a header', bytesOf([...HEAD, 'X-A: a\0', LENGTH, CLOSE], BODY)],
    ['a name with a blank', bytesOf([...HEAD, 'X A: a', LENGTH, CLOSE], BODY)],
    ['no name', bytesOf([...HEAD, ': a', LENGTH, CLOSE], BODY)],
    ['a chunk of a negative size', bytesOf([...HEAD, CHUNKED], `-1\r\n${SECOND}`)],
    ['a chunk of a huge size', bytesOf([...HEAD, CHUNKED], `fffffffffffffffff\r\n${SECOND}`)],
    ['a chunk that LF ends', bytesOf([...HEAD, CHUNKED], CHUNKS.replaceAll('\r\n', '\n') + SECOND)],
    ['a chunk longer than it says', bytesOf([...HEAD, CHUNKED], `3\r\n${BODY}\r\n0\r\n\r\n${SECOND}`)],
    ['HTTP/0.9', `GET /\r\n${SECOND}`],
  ])('%s: refused once with 400, and nothing behind it is read', async (_name, bytes) => {
    edge = await openEdge();
    const answer = await edge.raw(bytes);
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
    expect(statuses).toEqual(['400']);
    expect(edge.log.appended).toEqual([]);
  });
});
