import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one line that may wait for their answers. */
export const WAITING_MAX = 16;

/** What reads the requests of a line; Node names it on the socket, and in no document. */
interface ParsedSocket extends Socket {
  readonly parser?: { pause(): void } | null;
}

/**
 * Says of each request whether it is served. A line that sends many without reading answers gets
 * those to the first, is closed, and nothing after them is begun: Node hands over all that one read
 * of a line holds at once, some six hundred heads, and everybody else would wait for these. So the
 * reading of them stops too, in the middle of what was read.
 */
export function limitPipelining(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > WAITING_MAX) {
      socket.pause();
      (socket as ParsedSocket).parser?.pause();
      return false;
    }
    if (count === WAITING_MAX) {
      // Also when others are answered meanwhile: what comes after a last answer is never begun.
      waiting.set(socket, Infinity);
      response.setHeader('Connection', 'close');
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
