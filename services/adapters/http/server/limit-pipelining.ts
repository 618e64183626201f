import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one line that may wait for their answers. */
export const WAITING_MAX = 16;

/** What Node's parser takes as: this line has left HTTP, read no further. */
const READ_NO_FURTHER = 2;

/**
 * Says of each request whether it is served. A line that sends many without reading answers gets
 * those to the first, and is closed; nothing after them is begun.
 */
export function limitPipelining(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > WAITING_MAX) return false;
    if (count === WAITING_MAX) {
      // Also when others are answered meanwhile: what comes after a last answer is never begun.
      waiting.set(socket, Infinity);
      response.setHeader('Connection', 'close');
      readNoFurther(socket);
      return true;
    }
    waiting.set(socket, count);
    // In the next turn of the event loop: all that one read brings counts together.
    response.once('close', () => void setImmediate(() => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    }));
    return true;
  };
}

/**
 * Ends the parsing of a line with the request that is begun. One read holds some six hundred heads,
 * and all other callers would wait until Node has made a request of each. Node has no public way to
 * end that: `parser.pause()` waits for the end of the read. A Node that names it differently parses
 * them all, and the caller of `limitPipelining` leaves them out.
 */
function readNoFurther(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: unknown } | null };
  if (parser) {
    parser.onIncoming = () => {
      socket.pause();
      return READ_NO_FURTHER;
    };
  }
}
