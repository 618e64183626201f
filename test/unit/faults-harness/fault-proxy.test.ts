import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePorts } from '../../../infra/local/ports.ts';
import { startFaultProxy, type FaultProxy } from '../../faults/cluster/fault-proxy.ts';

describe('the fault proxy', () => {
  let server: Server;
  let proxy: FaultProxy;
  let arrived = '';
  let ended = 0;
  const open = new Set<Socket>();

  beforeEach(async () => {
    arrived = '';
    ended = 0;
    server = createServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('end', () => { ended += 1; });
      socket.on('data', (chunk) => {
        arrived += chunk.toString();
        socket.write(`echo ${chunk.toString()}`);
      });
    });
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const [port = 0] = await freePorts(1);
    proxy = await startFaultProxy(port, (server.address() as AddressInfo).port);
  });

  afterEach(async () => {
    await proxy.close();
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => { server.close(resolve); });
  });

  interface Seen { readonly socket: Socket; text: string; error: string }

  async function dial(): Promise<Seen> {
    const socket = connect(proxy.port, '127.0.0.1');
    const seen: Seen = { socket, text: '', error: '' };
    open.add(socket);
    socket.on('data', (chunk) => { seen.text += chunk.toString(); });
    socket.on('error', (error: NodeJS.ErrnoException) => { seen.error = error.code ?? ''; });
    await vi.waitFor(() => { if (socket.connecting) throw new Error('not yet'); });
    return seen;
  }

  async function heard(seen: Seen, text: string): Promise<void> {
    await vi.waitFor(() => { expect(seen.text).toContain(text); });
  }

  it('passes both ways while nothing is wrong', async () => {
    const line = await dial();
    line.socket.write('one');
    await heard(line, 'echo one');
  });

  it('swallows one way and passes the other; after the heal such a line is reset', async () => {
    const line = await dial();
    line.socket.write('one');
    await heard(line, 'echo one');
    proxy.set({ kind: 'blackhole', ways: ['to-client'] });
    line.socket.write('two');
    await vi.waitFor(() => { expect(arrived).toBe('onetwo'); });
    expect(line.text).not.toContain('two');
    proxy.set(undefined);
    await vi.waitFor(() => { expect(line.error).toBe('ECONNRESET'); });
  });

  it('cuts after the request has arrived and before its answer, as often as asked', async () => {
    const line = await dial();
    proxy.set({ kind: 'cut', way: 'to-client', bytes: 0, times: 1 });
    line.socket.write('one');
    await vi.waitFor(() => { expect(line.error).toBe('ECONNRESET'); });
    expect([arrived, line.text, proxy.cuts()]).toEqual(['one', '', 1]);
    const next = await dial();
    next.socket.write('two');
    await heard(next, 'echo two');
  });

  it('lets nothing overtake what is late, also when the delay is over', async () => {
    const line = await dial();
    proxy.set({ kind: 'delay', ms: 300 });
    line.socket.write('one ');
    await vi.waitFor(() => { expect(line.socket.bytesWritten).toBe(4); });
    await new Promise((resolve) => { setImmediate(resolve); });
    proxy.set(undefined);
    line.socket.write('two');
    await vi.waitFor(() => { expect(arrived).toContain('two'); });
    expect(arrived).toBe('one two');
  });

  it('resets lines that stand and lines that come', async () => {
    const line = await dial();
    line.socket.write('one');
    await heard(line, 'echo one');
    proxy.set({ kind: 'refuse' });
    await vi.waitFor(() => { expect(line.error).toBe('ECONNRESET'); });
    const next = await dial();
    await vi.waitFor(() => { expect(next.socket.destroyed).toBe(true); });
  });

  it('lets the server see the end while the client learns nothing', async () => {
    const line = await dial();
    line.socket.write('one');
    await heard(line, 'echo one');
    proxy.set({ kind: 'half-open' });
    await vi.waitFor(() => { expect(ended).toBe(1); });
    line.socket.write('two');
    expect([line.socket.destroyed, line.error, arrived]).toEqual([false, '', 'one']);
  });
});
