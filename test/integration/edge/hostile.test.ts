import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  BODY_WAYS, EDGE_TOKEN, GOOD_FACTS, locationsBody, openEdge, type Edge,
} from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
const LINE = 'POST /shipping/rtt/georeceiver/acme/locations?country_id=BR HTTP/1.1';
const GOOD = [
  'Host: edge', `Authorization: Bearer ${EDGE_TOKEN}`, 'Content-Type: application/json',
  `Content-Length: ${BODY.length}`, 'Connection: close',
];
const CHUNKED = [...GOOD.slice(0, 3), 'Transfer-Encoding: chunked'];

function request(headers: readonly string[], body = BODY, line = LINE): string {
  return [line, ...headers, '', body].join('\r\n');
}

function statusOf(answer: string): string {
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? `none: ${answer}`;
}

describe.each(BODY_WAYS)('bytes that no honest client sends, %s', (_way, usual) => {
  let edge: Edge | undefined;

  afterEach(async () => {
    await edge?.close();
    edge = undefined;
  });

  const open = async (wishes?: Parameters<typeof openEdge>[0]): Promise<Edge> => {
    edge = await openEdge({ ...usual, ...wishes });
    return edge;
  };

  it('differ from honest ones', async () => {
    const { raw } = await open();
    expect(statusOf(await raw(request(GOOD)))).toBe('202');
  });

  it.each([
    'Host: other', `Authorization: Bearer ${EDGE_TOKEN}`, 'AUTHORIZATION: Basic eDp5',
    'Content-Type: text/plain', 'content-encoding: gzip\r\nContent-Encoding: identity',
    'X-Client-Id: 1\r\nx-client-id: 2',
  ])('[GEN-01] a second %s is answered 400 duplicate_header', async (header) => {
    const { raw, asked } = await open();
    const answer = await raw(request([...GOOD, header]));
    expect(statusOf(answer)).toBe('400');
    expect(answer).toContain('"code":"duplicate_header"');
    expect(asked).toHaveLength(0);
  });

  it.each<[string, string | Buffer]>([
    ['two lengths', request([...GOOD, 'Content-Length: 3'])],
    ['a length and chunks', request([...GOOD, 'Transfer-Encoding: chunked'])],
    ['a negative length', request([...GOOD.slice(0, 3), 'Content-Length: -1'])],
    ['a length that is no number', request([...GOOD.slice(0, 3), 'Content-Length: 0x10'])],
    ['a broken chunk', request([...GOOD.slice(0, 3), 'Transfer-Encoding: chunked'], 'zz\r\n')],
    ['a method of its own', request(GOOD, BODY, 'FETCHALL / HTTP/1.1')],
    ['a version of its own', request(GOOD, BODY, 'POST / HTTP/9.9')],
    ['a line break in a header', request([...GOOD, 'X-A: a\nb'])],
    ['NUL in a header', request([...GOOD, 'X-A: a\0b'])],
    ['no headers but noise', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x0d, 0x0a, 0x0d, 0x0a])],
    ['headers over 8 KiB', request([...GOOD, `X-A: ${'a'.repeat(9_000)}`])],
    ['no host', request(GOOD.slice(1))],
  ])('[GEN-01] [GEN-22] %s is answered 400 and nothing is appended', async (_name, bytes) => {
    const { raw, log } = await open();
    expect(statusOf(await raw(bytes))).toBe('400');
    expect(log.appended).toHaveLength(0);
  });

  it('[GEN-01] an unknown expectation is no error', async () => {
    const { raw } = await open();
    expect(statusOf(await raw(request([...GOOD, 'Expect: miracles'])))).toBe('202');
  });

  it('[GEN-01] an offer to upgrade is ignored', async () => {
    const { raw } = await open();
    const headers = GOOD.map((header) =>
      header.startsWith('Connection') ? 'Connection: Upgrade, close' : header);
    expect(statusOf(await raw(request([...headers, 'Upgrade: h2c'])))).toBe('202');
  });

  it('[GEN-22] a body that comes too slowly is answered 400, not 408', async () => {
    const { raw, log } = await open({
      server: { headersTimeoutMs: 100, requestTimeoutMs: 200 },
    });
    const answer = await raw(request(GOOD, BODY.slice(0, 20)));
    expect(statusOf(answer)).toBe('400');
    expect(answer).toContain('application/problem+json');
    expect(log.appended).toHaveLength(0);
  });

  it('[GEN-22] a head that never ends is answered 400, not 408', async () => {
    const { raw } = await open({ server: { headersTimeoutMs: 100, requestTimeoutMs: 200 } });
    expect(statusOf(await raw(`${LINE}\r\nHost: edge\r\n`))).toBe('400');
  });

  it('a body far over the limit is answered before it was all sent', async () => {
    const { raw } = await open();
    const headers = GOOD.map((header) =>
      header.startsWith('Content-Length') ? 'Content-Length: 99999999999' : header);
    const answer = await raw(request(headers));
    expect(statusOf(answer)).toBe('400');
    expect(answer).toContain('payload_too_large');
  });

  /** Sends a body that never ends until its line is cut: the answer, and how much went out. */
  async function sendOn(port: number): Promise<{ answer: string; sent: number }> {
    const socket = connect(port, '127.0.0.1');
    const headers = GOOD.filter((header) => !/^(Connection|Content-Length)/.test(header));
    let answer = '';
    let sent = 0;
    socket.on('data', (chunk) => { answer += chunk.toString(); });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`${[LINE, ...headers, 'Content-Length: 99999999999'].join('\r\n')}\r\n\r\n`);
    const piece = Buffer.alloc(16_384, 0x20);
    const push = (): void => {
      if (socket.destroyed) return;
      sent += piece.length;
      socket.write(piece, () => setImmediate(push));
    };
    push();
    await closed;
    return { answer, sent };
  }

  it('a body that never ends after its answer is cut', async () => {
    const { port } = await open({ http: { discardedBytesMax: 100_000 } });
    const { answer, sent } = await sendOn(port);
    expect(statusOf(answer)).toBe('400');
    expect(sent).toBeLessThan(50_000_000);
  });

  it('a large body that will be sent again is not read after its answer', async () => {
    const { port, admit } = await open({ http: { discardedBytesMax: 500_000_000 } });
    admit({ ...GOOD_FACTS, quota: { ...GOOD_FACTS.quota!, allowed: false } });
    const { answer, sent } = await sendOn(port);
    expect(statusOf(answer)).toBe('429');
    expect(answer).toMatch(/^Connection: close\r$/m);
    expect(sent).toBeLessThan(50_000_000);
  });

  it('a caller that hangs up in the middle of its body leaves nothing behind', async () => {
    const { port, log, metrics } = await open();
    const socket = connect(port, '127.0.0.1');
    socket.write(request(GOOD, BODY.slice(0, 20)));
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    await expect.poll(metrics).toMatch(/rastro_http_requests_total\{.*code="gone"\} 1/);
    expect(log.appended).toHaveLength(0);
    expect(await metrics()).toContain('rastro_http_body_bytes_held 0');
  });

  it.each([
    ['no HTTP at all', '\0\0\0 this is not HTTP\r\n\r\n'],
    ['a request whose body breaks off', request(CHUNKED, 'zz\r\n')],
  ])('what is unreadable after a good request never becomes its answer: %s', async (_what, rest) => {
    const { port, log } = await open();
    log.hold();
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => { answer += chunk.toString(); });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.write(request(GOOD.slice(0, -1)));
    await expect.poll(() => log.held()).toBe(1);
    socket.write(rest);
    await closed;
    expect(answer).toBe('');
    log.release();
  });

  it('two requests in one piece are answered in their order', async () => {
    const { raw, log } = await open();
    const other = JSON.stringify({ ...locationsBody(), device_id: 'device-2' });
    const answer = await raw(request(GOOD.slice(0, -1)) + request(GOOD, other));
    expect(answer.match(/HTTP\/1\.1 202/g)).toHaveLength(2);
    expect(log.appended.map(({ key }) => key)).toEqual(['device-1', 'device-2']);
  });

  it('a name from the prototype of objects is a field like any other', async () => {
    const { post, log } = await open();
    const body = BODY.replace('{', '{"__proto__":{"admin":true},"constructor":1,"toString":2,');
    expect((await post(body)).status).toBe(202);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect(Buffer.from(log.appended[0]!.bytes).toString()).toBe(body);
    const invalid = '{"__proto__":{"device_id":"a","post_timestamp":1764000005,"locations":[]}}';
    expect((await post(invalid)).status).toBe(400);
  });
});
