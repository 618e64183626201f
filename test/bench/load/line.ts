import { connect, type Socket } from 'node:net';
import type { LoadPost } from './post.ts';

/** What a line reports of each answer, and of its own end. */
export interface LinePorts {
  readonly onAnswer: (status: number, sentMs: number) => void;
  readonly onBroken: () => void;
}

/** One connection with at most one post in flight. */
export interface LoadLine {
  /** Posts now; false when an answer is still awaited or the line is down. */
  post(sentMs: number): boolean;
  isBusy(): boolean;
  end(): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: *(\d+)/i;
const CHUNKED_END = '0\r\n\r\n';

/** Opens a line; one that breaks is not opened again, because a run with one is void anyway. */
export function openLine(
  { host, port }: { host: string; port: number }, source: LoadPost, ports: LinePorts,
): LoadLine {
  const socket: Socket = connect(port, host);
  socket.setNoDelay(true);
  let sentMs: number | undefined;
  let isDown = false;
  let pending: Buffer | undefined;
  socket.on('data', (chunk) => {
    pending = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
    const status = wholeStatus(pending);
    if (status === undefined || sentMs === undefined) return;
    const since = sentMs;
    pending = undefined;
    sentMs = undefined;
    ports.onAnswer(status, since);
  });
  const down = (): void => {
    if (isDown) return;
    isDown = true;
    if (sentMs !== undefined) ports.onBroken();
    sentMs = undefined;
  };
  socket.on('error', down).on('close', down);
  return {
    post(nowMs) {
      if (isDown || sentMs !== undefined) return false;
      sentMs = nowMs;
      socket.write(source.next());
      return true;
    },
    isBusy: () => sentMs !== undefined,
    end: () => { socket.destroy(); },
  };
}

/** The status of an answer that has come whole. */
function wholeStatus(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const length = LENGTH.exec(head)?.[1];
  const isWhole = length === undefined
    ? !/transfer-encoding: *chunked/i.test(head) || bytes.subarray(-5).toString() === CHUNKED_END
    : bytes.length >= end + HEAD_END.length + Number(length);
  return isWhole ? Number(head.slice(9, 12)) : undefined;
}
