import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ForbiddenAddress, guardedLookup, mayCall,
} from '../../../services/adapters/outbound/addresses.ts';
import { openOutbound, type OutboundConfig } from '../../../services/adapters/outbound/outbound.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => { for (const close of closers.splice(0)) await close(); });

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  closers.push(() => server.closeAllConnections(), () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function open(config: Partial<OutboundConfig> = {}) {
  const outbound = openOutbound({
    allowsInsecure: false, allowsPrivate: false, timeoutMs: 2_000, answerBytesMax: 64,
    socketsMaxPerHost: 4, ...config,
  });
  closers.push(outbound.close);
  return outbound.call;
}

const post = (url: string) =>
  ({ method: 'POST', url, headers: { 'x-a': 'b' }, body: Buffer.from('{"a":1}') }) as const;

describe('calls to parties', () => {
  it('send the body as it is and bring status, headers and body back', async () => {
    const url = await serve((request, response) => {
      request.on('data', (body: Buffer) => {
        response.setHeader('x-seen', [request.method, request.headers['x-a']].join(' '));
        response.statusCode = 299;
        response.end(body);
      });
    });
    const reply = await open()(post(`${url}/rtt/commands`));
    expect(reply).toMatchObject({
      kind: 'answer', status: 299, isCut: false, headers: { 'x-seen': 'POST b' },
    });
    expect(reply.kind === 'answer' && reply.body.toString()).toBe('{"a":1}');
  });

  it('never follow a redirect', async () => {
    let calls = 0;
    const url = await serve((_request, response) => {
      calls += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await open()(post(url))).toMatchObject({ kind: 'answer', status: 307 });
    expect(calls).toBe(1);
  });

  it('cut an answer over the limit, and know its status all the same', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'.repeat(50)), 1);
      response.on('close', () => clearInterval(drip));
    });
    const reply = await open()(post(url));
    expect(reply).toMatchObject({ kind: 'answer', status: 200, isCut: true });
    expect(reply.kind === 'answer' && reply.body.length).toBeLessThanOrEqual(64);
  });

  it('are lost after the time limit, also when the answer only drips', async () => {
    const silent = await serve(() => undefined);
    expect(await open({ timeoutMs: 50 })(post(silent))).toEqual({ kind: 'lost', reason: 'timeout' });
    const slow = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drip));
    });
    expect(await open({ timeoutMs: 50, answerBytesMax: 1e6 })(post(slow)))
      .toEqual({ kind: 'lost', reason: 'timeout' });
  });

  it('are lost when no one listens or the line is cut', async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await open()(post(url))).toEqual({ kind: 'lost', reason: 'network' });
    expect(await open()(post('http://127.0.0.1:9'))).toEqual({ kind: 'lost', reason: 'network' });
  });

  it('[CMD-43] are lost when HTTP cannot carry them, and never throw', async () => {
    const url = await serve((_request, response) => response.end());
    for (const value of ['a\r\nx-b: c', 'токен', '\u0000']) {
      const headers = { authorization: `Bearer ${value}` };
      expect(await open()({ ...post(url), headers })).toEqual({ kind: 'lost', reason: 'network' });
    }
    expect(await open()(post(url))).toMatchObject({ kind: 'answer', status: 200 });
  });

  it('are not made to what the settings do not allow', async () => {
    const forbidden = { kind: 'lost', reason: 'forbidden_address' };
    expect(await open()(post('http://provider.example/'))).toEqual(forbidden);
    expect(await open()(post('https://169.254.169.254/'))).toEqual(forbidden);
    expect(await open()(post('nonsense'))).toEqual(forbidden);
  });
});

const strict = { allowsInsecure: false, allowsPrivate: false };

describe('the rules about addresses', () => {
  it.each([
    ['https://provider.example/', true], ['https://8.8.8.8/', true],
    ['http://localhost:8090/', true], ['http://127.0.0.1:1/', true], ['http://[::1]:1/', true],
    ['http://provider.example/', false], ['http://8.8.8.8/', false], ['ftp://8.8.8.8/', false],
    ['file:///etc/passwd', false], ['https://10.0.0.1/', false], ['https://172.16.5.5/', false],
    ['https://192.168.1.1/', false], ['https://169.254.169.254/', false],
    ['https://100.64.0.1/', false], ['https://0.0.0.0/', false], ['https://224.0.0.1/', false],
    ['https://[fd00::1]/', false], ['https://[fe80::1]/', false], ['https://[::]/', false],
    ['https://[::ffff:10.0.0.1]/', false], ['https://[64:ff9b::a00:1]/', false],
    ['https://0x7f.1/', true], ['https://2130706433/', true], ['https://127.0.0.2/', false],
    ['https://[2606:4700::1111]/', true], ['https://[::10.0.0.1]/', false],
    ['https://[2002:a00:1::]/', false], ['https://[2001::1]/', false],
    ['https://[fec0::1]/', false], ['https://[64:ff9b:1::a00:1]/', false],
  ])('may be called, %s: %s', (url, allowed) => {
    expect(mayCall(new URL(url), strict)).toBe(allowed);
  });

  it.each([
    'http://localhost/', 'http://127.0.0.1:8080/', 'http://[::1]/', 'https://localhost/',
    'https://0x7f.1/', 'https://127.0.0.2/',
  ])('close this machine too where a setting says so: %s', (url) => {
    const production = { ...strict, refusesLoopback: true };
    expect(mayCall(new URL(url), production)).toBe(false);
    expect(mayCall(new URL('https://provider.example/'), production)).toBe(true);
  });

  it('hold for what a name leads to, at the time of the call', async () => {
    const lookup = guardedLookup({ ...strict, refusesLoopback: true });
    const found = await new Promise((resolve) => {
      lookup('localhost', { all: true }, (error) => { resolve(error); });
    });
    expect(found).toBeInstanceOf(ForbiddenAddress);
  });

  it('open what the settings name', () => {
    const insecure = { ...strict, allowsInsecure: true };
    expect(mayCall(new URL('http://provider.example/'), insecure)).toBe(true);
    expect(mayCall(new URL('http://10.0.0.1/'), insecure)).toBe(false);
    expect(mayCall(new URL('https://10.0.0.1/'), { ...strict, allowsPrivate: true })).toBe(true);
  });
});
