import { connect, type Socket } from 'node:net';

/** One line to a server, kept open from call to call: a client that does no more than it must. */
export interface CallLine {
  /**
   * Sends one request and reads its answer. Rejects when the line ends before the answer does, or
   * when nothing comes for {@link ANSWER_MS_MAX}. One call at a time.
   */
  post(head: readonly string[], body: Buffer): Promise<Received>;
  close(): void;
}

/** An answer as it came. */
export interface Received {
  readonly status: number;
  readonly text: string;
}

/** How long a line waits for a byte. */
export const ANSWER_MS_MAX = 300_000;

const END_OF_HEAD = Buffer.from('\r\n\r\n');

interface Waiting {
  readonly resolve: (received: Received) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a line to a port of this machine with the first call, and again after it was closed. */
export function openLine(port: number): CallLine {
  let socket: Socket | undefined;
  let waiting: Waiting | undefined;
  let bytes: Buffer = Buffer.alloc(0);

  function open(): Socket {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    opened.setTimeout(ANSWER_MS_MAX, () => opened.destroy());
    opened.on('data', (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const read = readAnswer(bytes);
      if (read === undefined) return;
      bytes = Buffer.alloc(0);
      if (read.closes) opened.destroy();
      waiting?.resolve(read.received);
      waiting = undefined;
    });
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (socket === opened) socket = undefined;
      bytes = Buffer.alloc(0);
      waiting?.reject(new Error('the line ended without a whole answer'));
      waiting = undefined;
    });
    return opened;
  }

  return {
    post: (head, body) => new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      if (socket?.destroyed !== false) socket = open();
      const lines = [...head, `Content-Length: ${body.length}`, '', ''].join('\r\n');
      socket.cork();
      socket.write(lines, 'latin1');
      socket.write(body);
      socket.uncork();
    }),
    close: () => { socket?.destroy(); },
  };
}

function readAnswer(
  bytes: Buffer,
): { readonly received: Received; readonly closes: boolean } | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const start = end + END_OF_HEAD.length;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < start + length) return undefined;
  return {
    received: {
      status: Number(head.slice(9, 12)),
      text: bytes.toString('utf8', start, start + length),
    },
    closes: /\r\nconnection: *close/i.test(head),
  };
}
