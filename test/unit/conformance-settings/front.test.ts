import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePorts } from '../../../infra/local/ports.ts';
import { openFront, type Front } from '../../../scripts/conformance/settings/front.ts';

interface Gateway { readonly server: Server; readonly port: number; readonly seen: string[] }

let gateways: ReadonlyMap<string, Gateway>;
let front: Front;
let url: string;

beforeEach(async () => {
  gateways = new Map(await Promise.all(['ingest', 'control', 'notifications', 'live'].map(async (name) =>
    [name, await gateway(name)] as const)));
  const [port = 0] = await freePorts(1);
  front = await openFront(port, (program) => gateways.get(program)?.port ?? 0);
  url = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  await front.close();
  for (const { server } of gateways.values()) server.close();
});

describe('the front of several gateways', () => {
  it.each([
    ['POST', '/oauth/token', 'control'], ['POST', '/shipping/rtt/devices', 'control'],
    ['POST', '/shipping/rtt/georeceiver/demo/locations?country_id=US', 'ingest'],
    ['POST', '/shipping/tracking/notifications', 'notifications'],
  ])('passes %s %s to %s, with body, query and the address of the caller', async (method, path, to) => {
    const answer = await fetch(url + path, { method, body: '{"a":1}' });
    expect([answer.status, await answer.text()]).toEqual([202, to]);
    expect(gateways.get(to)?.seen).toEqual([`${method} ${path} 127.0.0.1 {"a":1}`]);
  });

  it('keeps its own connections: what a gateway says about those behind it goes no further', async () => {
    const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: '' });
    expect(await answer.text()).toBe('control');
    expect(answer.headers.get('keep-alive')).not.toBe('timeout=65');
    expect(answer.headers.get('connection')).not.toBe('close');
  });

  it('answers 502 where a gateway is gone', async () => {
    const { server } = gateways.get('control')!;
    server.close();
    await once(server, 'close');
    const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: '' });
    expect(answer.status).toBe(502);
  });
});

async function gateway(name: string): Promise<Gateway> {
  const seen: string[] = [];
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const { method, url: path, headers } = asked;
      seen.push(`${method ?? ''} ${path ?? ''} ${String(headers['x-forwarded-for'])}`
        + ` ${Buffer.concat(chunks).toString()}`);
      answer.writeHead(202, { 'connection': 'close', 'keep-alive': 'timeout=65' }).end(name);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, seen };
}
