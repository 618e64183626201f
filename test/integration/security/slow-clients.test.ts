import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { EDGE_TOKEN, locationsBody, openEdge, type Edge } from '../../support/edge.ts';

const BODY = JSON.stringify(locationsBody());
const HEAD = [
  'POST /shipping/rtt/georeceiver/acme/locations?country_id=BR HTTP/1.1', 'Host: edge',
  `Authorization: Bearer ${EDGE_TOKEN}`, 'Content-Type: application/json',
].join('\r\n');
const SLOW = 40;
const DRIP_MS = 40;

/** A client that never ends: bytes of `more`, one at a time, until it is closed. */
function dripping(port: number, first: string, more: string): Promise<void> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(first);
  let at = 0;
  const drip = setInterval(() => socket.write(more[at++ % more.length] ?? ' '), DRIP_MS);
  return new Promise((resolve) => socket.once('close', () => {
    clearInterval(drip);
    resolve();
  }));
}

describe('clients that are slow on purpose', () => {
  let edge: Edge | undefined;
  afterEach(async () => {
    await edge?.close();
    edge = undefined;
  });

  it.each<[string, string, string]>([
    ['head that drips', `${HEAD}\r\nX-Slow: `, 'a'],
    ['head of ever more headers', `${HEAD}\r\n`, 'X-A: b\r\n'],
    ['body that drips', `${HEAD}\r\nContent-Length: 100000\r\n\r\n{"a":"`, 'a'],
    ['chunks that drip', `${HEAD}\r\nTransfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['body of which half came', `${HEAD}\r\nContent-Length: ${BODY.length}\r\n\r\n{`, ''],
    ['silence', '', ''],
  ])('%s: all are closed in the end, and others are served meanwhile', async (_name, first, more) => {
    edge = await openEdge({
      server: { headersTimeoutMs: 300, requestTimeoutMs: 600, keepAliveTimeoutMs: 300 },
    });
    const { port, post, log } = edge;
    const closed = Array.from({ length: SLOW }, () => dripping(port, first, more));
    let open = SLOW;
    for (const each of closed) void each.then(() => { open -= 1; });
    const served = await post(BODY);
    expect(served.status).toBe(202);
    await served.text();
    expect(log.appended).toHaveLength(1);
    await Promise.all(closed);
    expect(open).toBe(0);
    expect(log.appended).toHaveLength(1);
    expect(await edge.metrics()).not.toMatch(/rastro_http_body_bytes_held [1-9]/);
  }, 20_000);
});
