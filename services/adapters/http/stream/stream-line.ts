import type { ServerResponse } from 'node:http';
import type { StreamLine } from '../../../kernel/stream-line.ts';

/** The line of a response whose head is out. Nothing is copied: bytes are handed to the socket. */
export function createStreamLine(response: ServerResponse): StreamLine {
  let drained: (() => void) | undefined;
  response.on('drain', () => {
    const then = drained;
    drained = undefined;
    then?.();
  });
  const isOver = (): boolean => response.destroyed || response.writableEnded;
  return {
    write(bytes) {
      if (!isOver()) response.write(bytes);
    },
    waitingBytes: () => isOver() ? 0 : response.writableLength,
    onDrained(then) {
      // Only a write that filled the buffer is followed by `drain`.
      if (response.writableNeedDrain) drained = then;
      else if (!isOver()) setImmediate(then);
    },
    end() {
      if (!isOver()) response.end();
    },
    cut: () => { response.destroy(); },
  };
}
