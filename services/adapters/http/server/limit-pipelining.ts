import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one line that may wait for their answers. */
export const WAITING_MAX = 16;

/**
 * Says of each request whether it is served. A line that sends many without reading answers gets
 * those to the first, and is closed; nothing after them is begun. Node hands over all that one read
 * of a line holds, some six hundred heads, and all other callers would wait for these.
 */
export function limitPipelining(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > WAITING_MAX) {
      socket.pause();
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
