import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHandle } from './wrong-receiver/handle-ask.ts';
import { PROVIDER_ROUTES } from './wrong-receiver/provider-routes.ts';
import { RTT_ROUTES } from './wrong-receiver/rtt-routes.ts';
import { SHIPMENT_ROUTES } from './wrong-receiver/shipment-routes.ts';
import { TOKEN_ROUTES } from './wrong-receiver/token-routes.ts';
import { newReceiverMemory, type ReceivedRequest, type ReceiverAnswer } from './wrong-receiver/receiver.ts';

/** What a mistake does: it changes the request before the receiver, or the answer after it. */
export interface Twist {
  readonly changeRequest?: (asked: ReceivedRequest) => ReceivedRequest;
  readonly changeAnswer?: (reply: ReceiverAnswer, asked: ReceivedRequest) => ReceiverAnswer;
  /** As if every answer took so much longer; only `lateMs` knows. */
  readonly lateMs?: number;
}

/** A receiver, provider and carrier in one process, made to err in one way at a time. */
export interface WrongReceiver {
  readonly url: string;
  /** Forgets everything, and errs this way from now on. */
  readonly begin: (twist?: Twist) => void;
  /** The requests since `begin`, as they came. */
  readonly asked: () => readonly ReceivedRequest[];
  /** By how much a clock that saw the lateness would be ahead. */
  readonly lateMs: () => number;
  readonly close: () => Promise<void>;
}

/** Listens on a free port; without a twist it is right in everything the kit asks. */
export async function startWrongReceiver(): Promise<WrongReceiver> {
  const handle = createHandle([
    ...TOKEN_ROUTES, ...RTT_ROUTES, ...SHIPMENT_ROUTES, ...PROVIDER_ROUTES,
  ]);
  let memory = newReceiverMemory();
  let twist: Twist = {};
  let seen: ReceivedRequest[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const came = await read(request);
    seen.push(came);
    const asked = twist.changeRequest?.(came) ?? came;
    const right = handle(asked, memory);
    const reply = twist.changeAnswer?.(right, came) ?? right;
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    begin(next = {}) {
      memory = newReceiverMemory();
      twist = next;
      seen = [];
    },
    asked: () => seen,
    lateMs: () => seen.length * (twist.lateMs ?? 0),
    close: () => new Promise((resolve) => {
      server.close(() => { resolve(); });
      server.closeAllConnections();
    }),
  };
}

async function read(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://kit');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, value?.toString()]),
    ),
    bytes: Buffer.concat(chunks),
  };
}
