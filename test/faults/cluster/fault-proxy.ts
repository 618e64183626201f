import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Which way bytes go through a proxy. */
export type Way = 'to-server' | 'to-client';

/** What a proxy does to its connections, those that stand and those that come. */
export type ProxyFault =
  /** Bytes arrive later, both ways. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Bytes of these ways never arrive; the connections stay. */
  | { readonly kind: 'blackhole'; readonly ways: readonly Way[] }
  /** Every connection is reset, also those that come. */
  | { readonly kind: 'refuse' }
  /** After so many more bytes of a way the connection is reset, `times` times in all. */
  | { readonly kind: 'cut'; readonly way: Way; readonly bytes: number; readonly times: number }
  /** The server sees the connection end; the client learns nothing. */
  | { readonly kind: 'half-open' };

/** A TCP proxy on a port of 127.0.0.1 that fails on demand. */
export interface FaultProxy {
  readonly port: number;
  /** What it is to do from now on; undefined to pass everything. */
  set(fault: ProxyFault | undefined): void;
  /** Connections that were cut so far by `cut`. */
  cuts(): number;
  close(): Promise<void>;
}

interface Line {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes of each way since the fault began. */
  readonly passed: Record<Way, number>;
  /** What is held up, by way: what comes later never overtakes it. */
  readonly late: Record<Way, { chunks: number; until: Promise<unknown> }>;
}

const HELD_BYTES_MAX = 64 * 1_048_576;

/** Starts a proxy from a port to another of this machine. */
export async function startFaultProxy(port: number, targetPort: number): Promise<FaultProxy> {
  const lines = new Set<Line>();
  let fault: ProxyFault | undefined;
  let cutsLeft = 0;
  let cuts = 0;

  function reset(line: Line): void {
    line.client.resetAndDestroy();
    line.server.resetAndDestroy();
  }

  function forward(line: Line, way: Way, chunk: Buffer): void {
    const to = way === 'to-server' ? line.server : line.client;
    line.passed[way] += chunk.length;
    if (fault?.kind === 'blackhole' && fault.ways.includes(way)) return;
    if (fault?.kind === 'half-open' && way === 'to-server') return;
    if (fault?.kind === 'cut' && way === fault.way && cutsLeft > 0
      && line.passed[way] > fault.bytes) {
      cutsLeft -= 1;
      cuts += 1;
      return reset(line);
    }
    const late = line.late[way];
    if (fault?.kind === 'delay' || late.chunks > 0) {
      const arrived = delay(fault?.kind === 'delay' ? fault.ms : 0);
      late.chunks += 1;
      late.until = Promise.all([late.until, arrived]).then(() => {
        late.chunks -= 1;
        to.write(chunk);
      });
    } else to.write(chunk);
    if (to.writableLength > HELD_BYTES_MAX) reset(line);
  }

  const server = createServer((client) => {
    if (fault?.kind === 'refuse') {
      client.on('error', () => undefined);
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1');
    const nothing = (): Line['late'][Way] => ({ chunks: 0, until: Promise.resolve() });
    const line: Line = {
      client, server: upstream, passed: { 'to-server': 0, 'to-client': 0 },
      late: { 'to-server': nothing(), 'to-client': nothing() },
    };
    lines.add(line);
    for (const [socket, way, other] of [
      [client, 'to-server', upstream], [upstream, 'to-client', client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('data', (chunk) => forward(line, way, chunk));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        lines.delete(line);
        if (fault?.kind !== 'half-open') other.destroy();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

  return {
    port,
    set(next) {
      const healed = fault;
      fault = next;
      for (const line of lines) {
        line.passed['to-client'] = 0;
        line.passed['to-server'] = 0;
        // What was swallowed is gone: such a connection can only be given up.
        if (healed?.kind === 'blackhole' || healed?.kind === 'half-open') reset(line);
        if (next?.kind === 'refuse') reset(line);
        if (next?.kind === 'half-open') line.server.end();
      }
      cutsLeft = next?.kind === 'cut' ? next.times : 0;
    },
    cuts: () => cuts,
    close: () => new Promise((resolve) => {
      for (const line of lines) reset(line);
      server.close(() => resolve());
    }),
  };
}
