import type { IncomingMessage, ServerResponse } from 'node:http';

/** So many announced bytes, and more, cost more to read than a new line does. */
const LEFT_BYTES_MIN = 262_144;

/** How long a line with an unread body waits for its sender to read the answer. */
const LINGER_MS = 1_000;

/**
 * To be called before an answer after which the sender comes again with all of its body: none of
 * what still comes of a large one is read. Its line ends with the answer (RFC 9112, 9.6), and is
 * cut a moment later. What is read and thrown away is rubbish that V8 has to collect.
 */
export function leaveRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (request.complete || response.destroyed || announced < LEFT_BYTES_MIN) return;
  response.setHeader('Connection', 'close');
  // Node reads on after an answer, unless its caller has begun to read.
  request.read(0);
  request.pause();
  // Node would cut the line at once, and the answer might be lost by it.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/**
 * Throws away what still comes of a body that was answered unread, so that its sender can read the
 * answer, and cuts the line when that takes more than `bytesMax`.
 */
export function discardRest(request: IncomingMessage, bytesMax: number): void {
  if (request.complete || request.isPaused()) return;
  let discarded = 0;
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > bytesMax) request.socket.destroy();
  });
  request.resume();
}
