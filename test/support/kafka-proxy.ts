import { connect, createServer, type Socket } from 'node:net';

/** What may happen to one produce request in flight. */
export type ProduceFault = 'swallow-answer' | 'reset-after-append' | 'reset-before-append';

/** A TCP proxy in front of one broker that breaks the connection of produce requests on purpose. */
export interface KafkaProxy {
  /** Address to give to a client as its only broker. */
  readonly address: string;
  /** Produce requests that came, also those that were broken. */
  produced(): number;
  /** Faults done, in order. */
  done(): readonly ProduceFault[];
  /** Breaks the next produce requests, one fault each; what comes after passes. */
  plan(...faults: readonly ProduceFault[]): void;
  /** Breaks every produce request from now on in this way, until {@link KafkaProxy.heal}. */
  always(fault: ProduceFault): void;
  /** Holds the answers to metadata requests back until {@link KafkaProxy.heal}. */
  holdMetadata(): void;
  /** Metadata answers that are held back now. */
  heldMetadata(): number;
  heal(): void;
  close(): Promise<void>;
}

const PRODUCE = 0;
const METADATA = 3;
const LENGTH_BYTES = 4;

/**
 * Starts a proxy on a free port. Clients follow the addresses in the broker's answers, so the
 * broker's host and port are replaced by those of the proxy wherever they stand together.
 */
export async function startKafkaProxy(broker: string): Promise<KafkaProxy> {
  const [host = '', portText = ''] = broker.split(':');
  const brokerPort = Number(portText);
  const planned: ProduceFault[] = [];
  const done: ProduceFault[] = [];
  const sockets = new Set<Socket>();
  let constant: ProduceFault | undefined;
  let produced = 0;
  let holding = false;
  let held: (() => void)[] = [];
  let from: Buffer = Buffer.alloc(0);
  let to: Buffer = Buffer.alloc(0);

  const server = createServer((client) => {
    const upstream = connect(brokerPort, host);
    const plans = new Map<number, ProduceFault>();
    const metadata = new Set<number>();
    const breakBoth = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', breakBoth);
      socket.on('close', () => {
        sockets.delete(socket);
        breakBoth();
      });
    }
    client.on('data', inFrames((frame) => {
      const apiKey = frame.readInt16BE(LENGTH_BYTES);
      const correlation = frame.readInt32BE(LENGTH_BYTES + 4);
      if (apiKey === METADATA) metadata.add(correlation);
      if (apiKey === PRODUCE) {
        produced += 1;
        const fault = constant ?? planned.shift();
        if (fault !== undefined) {
          done.push(fault);
          if (fault === 'reset-before-append') return breakBoth();
          plans.set(correlation, fault);
        }
      }
      upstream.write(frame);
    }));
    upstream.on('data', inFrames((frame) => {
      const correlation = frame.readInt32BE(LENGTH_BYTES);
      const plan = plans.get(correlation);
      if (plan === 'reset-after-append') return breakBoth();
      if (plan === 'swallow-answer') return;
      const answer = replaced(frame, from, to);
      if (holding && metadata.has(correlation)) held.push(() => client.write(answer));
      else client.write(answer);
    }));
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the proxy has no port');
  from = hostAndPort(host, brokerPort);
  to = hostAndPort(host, bound.port);

  return {
    address: `${host}:${bound.port}`,
    produced: () => produced,
    done: () => done,
    plan: (...faults) => { planned.push(...faults); },
    always: (fault) => { constant = fault; },
    holdMetadata: () => { holding = true; },
    heldMetadata: () => held.length,
    heal: () => {
      constant = undefined;
      planned.length = 0;
      holding = false;
      for (const release of held) release();
      held = [];
    },
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    }),
  };
}

/** Cuts a stream into Kafka's frames: four bytes of length, then the message. */
function inFrames(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + rest.readInt32BE(0);
      if (rest.length < end) return;
      const frame = rest.subarray(0, end);
      rest = rest.subarray(end);
      onFrame(frame);
    }
  };
}

function hostAndPort(host: string, port: number): Buffer {
  const bytes = Buffer.alloc(host.length + 4);
  bytes.write(host);
  bytes.writeInt32BE(port, host.length);
  return bytes;
}

/** Same length before and after, so that no length in the frame changes. */
function replaced(frame: Buffer, from: Buffer, to: Buffer): Buffer {
  let at = frame.indexOf(from);
  if (at < 0) return frame;
  const copy = Buffer.from(frame);
  while (at >= 0) {
    to.copy(copy, at);
    at = copy.indexOf(from, at + to.length);
  }
  return copy;
}
