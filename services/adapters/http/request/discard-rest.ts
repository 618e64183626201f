import type { IncomingMessage } from 'node:http';

/**
 * Throws away what still comes of a body that was answered unread, so that its sender can read the
 * answer, and cuts the line when that takes more than `bytesMax`.
 */
export function discardRest(request: IncomingMessage, bytesMax: number): void {
  if (request.complete) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > bytesMax) request.socket.destroy();
  });
  request.resume();
}

const STRANGER_BYTES_MAX = 65_536;
const STRANGER_MS_MAX = 2_000;

/**
 * The same for a caller whose token was not let in: taking a megabyte off its line costs far more
 * than its answer did. Beyond a little nothing more is taken. The sender can read its answer, and
 * is cut off when it has not closed its line a while later.
 */
export function leaveRest(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded <= STRANGER_BYTES_MAX || request.isPaused()) return;
    request.pause();
    const timer = setTimeout(() => socket.destroy(), STRANGER_MS_MAX);
    socket.once('close', () => clearTimeout(timer));
  });
  request.resume();
}
