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
