import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { roomOf } from '../../../infra/generate/routes.ts';
import { GATEWAYS } from '../../../services/gateways/gateways.ts';

/** Of one connection only: those before and behind the front are not the same. */
const HOP_BY_HOP = new Set([
  'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host', 'expect',
]);
/** Longer than any caller here keeps a connection idle. */
const KEEP_ALIVE_MS = 600_000;

/** One address for several gateways, as the gateway of a cluster. */
export interface Front {
  readonly close: () => Promise<void>;
}

/**
 * Ends connections and passes each call to the program that the routes name, with the address of
 * its caller in `X-Forwarded-For`: layer 7, as `components/gateway-api` has it.
 */
export async function openFront(
  port: number, portOf: (program: string) => number,
): Promise<Front> {
  const server = createServer((asked, answer) => {
    pass(asked, answer, portOf).catch(() => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end();
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  return {
    close: () => new Promise((done) => {
      server.close(() => { done(); });
      server.closeAllConnections();
    }),
  };
}

async function pass(
  asked: IncomingMessage, answer: ServerResponse, portOf: (program: string) => number,
): Promise<void> {
  const { method = 'GET', url = '/', headers, socket } = asked;
  const room = roomOf(method, url.split('?')[0] ?? '/');
  const program = GATEWAYS.find(({ id }) => id === room)?.program ?? '';
  const body = Buffer.concat(await asked.toArray() as Buffer[]);
  // A gateway may answer and close before it has read a whole body: `fetch` reads that answer.
  const reply = await fetch(`http://127.0.0.1:${portOf(program)}${url}`, {
    method, body: body.length === 0 ? null : body, redirect: 'manual',
    headers: [
      ...endToEnd(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ['x-forwarded-for', socket.remoteAddress ?? ''],
    ],
  });
  answer.writeHead(reply.status, endToEnd([...reply.headers]).flat());
  answer.end(Buffer.from(await reply.arrayBuffer()));
}

function endToEnd(headers: readonly [string, string][]): [string, string][] {
  return headers.filter(([name]) => !HOP_BY_HOP.has(name));
}
