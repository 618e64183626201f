import { connect, type Socket } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Pages } from '../../../services/kernel/pages.ts';
import { openEdge, type Edge } from '../../support/edge.ts';

const PIECE_BYTES = 65_536;
/** 32 MiB, of which buffers of a system take less than half for one line. */
const PIECES = 512;
const QUIET_ROUNDS = 200;

let edge: Edge | undefined;
let socket: Socket | undefined;
afterEach(async () => {
  socket?.destroy();
  await edge?.close();
});

/** A page in pieces, which counts those that were read; `failAt` breaks it. */
function piecesPage(failAt = Infinity) {
  const piece = Buffer.alloc(PIECE_BYTES);
  let read = 0;
  let isOver = false;
  async function* pieces() {
    try {
      for (; read < PIECES; read += 1) {
        if (read === failAt) throw new Error('the disk is gone');
        yield piece;
      }
    } finally {
      isOver = true;
    }
  }
  const pages: Pages = {
    mayHave: () => true,
    find: async () => ({
      status: 200, headers: {}, content: { bytes: PIECES * PIECE_BYTES, read: pieces },
    }),
  };
  return { pages, read: () => read, isOver: () => isOver };
}

function askWithoutReading(port: number): Socket {
  const line = connect(port, '127.0.0.1');
  line.on('error', () => undefined);
  line.pause();
  line.write('GET /page HTTP/1.1\r\nHost: x\r\n\r\n');
  return line;
}

function receivedAll(line: Socket): Promise<void> {
  let received = 0;
  return new Promise((resolve) => {
    line.on('data', (bytes) => {
      received += bytes.length;
      if (received >= PIECES * PIECE_BYTES) resolve();
    }).resume();
  });
}

/** Until nothing more was read in many rounds of the event loop. */
async function whenQuiet(read: () => number): Promise<number> {
  for (let rounds = 0, before = -1; rounds < QUIET_ROUNDS || read() === 0; rounds += 1) {
    if (read() !== before) rounds = 0;
    before = read();
    await nextRound();
  }
  return read();
}

describe('a page in pieces', () => {
  it('is read no faster than its caller takes it', async () => {
    const { pages, read } = piecesPage();
    edge = await openEdge({ pages });
    socket = askWithoutReading(edge.port);
    expect(await whenQuiet(read)).toBeLessThan(PIECES / 2);
    await receivedAll(socket);
    expect(read()).toBe(PIECES);
  });

  it('is read no further when its caller hangs up, and that is no defect', async () => {
    const { pages, read, isOver } = piecesPage();
    edge = await openEdge({ pages });
    socket = askWithoutReading(edge.port);
    await whenQuiet(read);
    socket.destroy();
    while (!isOver()) await nextRound();
    expect(read()).toBeLessThan(PIECES);
    expect(edge.lines.filter((line) => line.includes('request_crashed'))).toEqual([]);
  });

  it('that breaks off is cut, never ended as if it were whole, and the log has why', async () => {
    const { pages } = piecesPage(3);
    edge = await openEdge({ pages });
    const answer = await fetch(`${edge.url}/page`);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(edge.lines.join()).toContain('the disk is gone');
  });
});
