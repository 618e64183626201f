import type { Socket } from 'node:net';
import { locationsPath, openLine, pause, together } from '../calls.ts';
import type { Offender, OffenderEnv } from '../offender.ts';

/** More than both gateways together take. */
const IDLE_LINES = 9_000;
const HEAD = headOf('acme');

function headOf(provider: string): string {
  return `POST ${locationsPath(provider)} HTTP/1.1\r\nHost: rastro\r\n`;
}

/** The head of a good call of the guest, whose body has so many bytes. */
function guestHead({ guest }: OffenderEnv, bytes: number): string {
  return `${headOf(guest.provider)}Authorization: Bearer ${guest.clients[0]?.token ?? ''}\r\n`
    + `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
}

/** Waits a while until the gateway has ended a line, and leaves it then. */
async function ending(env: OffenderEnv, line: Socket | undefined): Promise<void> {
  if (line === undefined) return;
  const closed = new Promise((resolve) => { line.once('close', resolve); });
  if (!line.closed) await Promise.race([closed, pause(env, 1_000)]);
  line.destroy();
}

/** Opens lines until there are so many, and keeps them open. */
async function keepLines(
  env: OffenderEnv, count: number, first: string, drip: string | undefined,
): Promise<void> {
  const lines = [];
  for (let nth = 0; nth < count && !env.signal.aborted; nth += 1) {
    const line = await openLine(env, nth);
    line?.write(first);
    lines.push(line);
  }
  while (!env.signal.aborted) {
    await pause(env, 500);
    if (drip === undefined) continue;
    for (const line of lines) if (line?.writable === true) line.write(drip);
  }
}

/** Who plays with lines and with the form of HTTP. */
export const LINES: readonly Offender[] = [
  {
    name: 'idle-lines', isSmoke: true,
    does: `opens ${IDLE_LINES} lines from one address, more than both gateways take, and says nothing`,
    heldBy: 'connections of one address are limited',
    mustGet: { answer: 'line ended', times: 500 },
    run: (env) => keepLines(env, IDLE_LINES, '', undefined),
  },
  {
    name: 'slow-heads', does: 'sends heads of requests a few bytes at a time, on 500 lines',
    heldBy: 'a head must be there within RASTRO_HTTP_HEADERS_TIMEOUT_MS',
    run: (env) => keepLines(env, 500, HEAD, 'X-Slow: 1\r\n'),
  },
  {
    name: 'slow-bodies', does: 'announces a megabyte and sends a byte at a time, on 500 lines',
    heldBy: 'a request must be there within RASTRO_HTTP_REQUEST_TIMEOUT_MS; memory is counted by bytes',
    run: (env) => keepLines(env, 500, `${guestHead(env, 1_000_000)}{`, ' '),
  },
  {
    name: 'bodies-that-stop',
    does: 'announces a megabyte on 400 lines, sends nearly all of it and then nothing more',
    heldBy: 'one client has a quarter of the memory for bodies (GEN-04)',
    run: (env) => keepLines(
      env, 400, guestHead(env, 1_000_000) + ' '.repeat(900_000), undefined,
    ),
  },
  {
    name: 'lines-opened-and-closed', does: 'opens lines, sends half a request and leaves',
    heldBy: 'a line that closes gives back all that it held',
    run: (env) => together(env, 32, async (nth, at) => {
      const line = await openLine(env, nth + at);
      line?.write(HEAD);
      line?.destroy();
    }),
  },
  {
    name: 'pipelined-requests',
    does: 'sends hundreds of requests in one write, and reads no answer for half a second',
    heldBy: 'of a line sixteen requests may wait for their answers',
    mustGet: { answer: 'line ended', times: 30 },
    run: (env) => together(env, 8, async (nth, at) => {
      const line = await openLine(env, nth + at);
      line?.pause();
      line?.write(`${HEAD}Content-Length: 2\r\n\r\n{}`.repeat(400));
      await pause(env, 500);
      line?.resume();
      await pause(env, 250);
      line?.destroy();
    }),
  },
  {
    name: 'flood-of-headers', does: 'sends heads of a hundred kilobytes',
    heldBy: 'a head has at most 8 KiB',
    mustGet: { answer: 'line ended', times: 100 },
    run: (env) => together(env, 16, async (nth, at) => {
      const line = await openLine(env, nth + at);
      line?.write(HEAD + `X-Many: ${'a'.repeat(1_000)}\r\n`.repeat(100));
      await ending(env, line);
    }),
  },
];
