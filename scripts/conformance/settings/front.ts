import {
  createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse,
} from 'node:http';
import { roomOf } from '../../../infra/generate/routes.ts';
import { GATEWAYS } from '../../../services/gateways/gateways.ts';

/** Of one connection only: those before and behind the front are not the same. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);
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
  const server = createServer((asked, answer) => { pass(asked, answer, portOf); });
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

function pass(
  asked: IncomingMessage, answer: ServerResponse, portOf: (program: string) => number,
): void {
  const { method = 'GET', url = '/', headers, socket } = asked;
  const room = roomOf(method, url.split('?')[0] ?? '/');
  const program = GATEWAYS.find(({ id }) => id === room)?.program ?? '';
  const passed = request({
    host: '127.0.0.1', port: portOf(program), method, path: url, agent: false,
    headers: { ...endToEnd(headers), 'x-forwarded-for': socket.remoteAddress ?? '' },
  }, (reply) => {
    answer.writeHead(reply.statusCode ?? 502, endToEnd(reply.headers));
    reply.pipe(answer);
  });
  passed.on('error', () => {
    // A gateway may answer before it has read all; the rest is of no use to it.
    asked.resume();
    if (!answer.headersSent) answer.writeHead(502).end();
  });
  asked.pipe(passed);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
