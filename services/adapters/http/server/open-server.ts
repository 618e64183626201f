import {
  createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse,
} from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorForm } from '../../../kernel/http.ts';
import type { Ids } from '../../../kernel/ids.ts';
import type { Signals } from '../../../kernel/signals.ts';
import { rawRefusal, writeAnswer } from '../write-answer.ts';
import { limitConnections, type AddressLimits } from './limit-connections.ts';
import { limitPipelining } from './limit-pipelining.ts';
import { unreadable, type UnreadableError } from './unreadable.ts';

/** Where to listen, and how long and how much of a connection is borne. */
export interface ServerConfig extends AddressLimits {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly headersTimeoutMs: number;
  /** From the first byte of a request to the last of its body. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  readonly headerBytesMax: number;
  readonly connectionsMax: number;
}

/** What answering unreadable requests needs. */
export interface ServerPorts {
  readonly errors: ErrorForm;
  readonly ids: Ids;
  readonly signals: Signals;
}

/** A server that listens. */
export interface HttpServer {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /**
   * From now on every answer says that its line ends with it (`Connection: close`), so that callers
   * let go of their lines on their own while new ones are still taken.
   */
  announceClose(): void;
  /**
   * Takes no new connections, lets requests in progress finish, bears lines without a request for a
   * grace more, and cuts what is left after `drainMsMax`. May be called again.
   */
  close(drainMsMax: number): Promise<void>;
}

/** How often Node looks for requests that take too long, in ms. */
const CONNECTIONS_CHECK_MS = 500;

/**
 * How long an idle connection is kept open, in ms: a request may be in flight on it. HTTP has no
 * message for the end of an idle connection, so the real grace is the time since `announceClose`.
 */
const IDLE_GRACE_MS = 500;

/** Opens a server; rejects when the address cannot be had. */
export async function openServer(
  config: ServerConfig, ports: ServerPorts, listener: RequestListener,
): Promise<HttpServer> {
  const underWay = new Set<ServerResponse>();
  // What is unreadable after a request that was read whole must not become its answer. Asked only
  // of broken lines, and a line may have several calls: looking through all costs less than books.
  const isAnswering = (socket: Duplex): boolean => (
    [...underWay].some(({ req }) => req.socket === socket && req.complete)
  );
  function gone(this: ServerResponse): void {
    underWay.delete(this);
  }
  let closing: Promise<void> | undefined;
  let isLeaving = false;
  const announceClose = (): void => {
    isLeaving = true;
    for (const response of underWay) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
  };
  const mayServe = limitPipelining();
  const serve: RequestListener = (request, response) => {
    if (!mayServe(request, response)) return;
    if (isLeaving) response.setHeader('Connection', 'close');
    underWay.add(response);
    response.on('close', gone);
    if (lacksHost(request)) refuseWithoutHost(ports, response);
    else listener(request, response);
  };
  const server = createServer({
    headersTimeout: config.headersTimeoutMs,
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    maxHeaderSize: config.headerBytesMax,
    connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    insecureHTTPParser: false,
    joinDuplicateHeaders: false,
    // Node would answer without a body; this file does it with one.
    requireHostHeader: false,
    noDelay: true,
  }, serve);
  server.maxConnections = config.connectionsMax;
  limitConnections(server, config);
  server.timeout = 0;
  server.on('checkExpectation', (request: IncomingMessage, response) => {
    serve(request, response);
  });
  server.on('clientError', (error, socket) => {
    answerUnreadable(ports, config, error, socket, isAnswering(socket));
  });
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  const shownHost = config.host.includes(':') ? `[${config.host}]` : config.host;

  return {
    host: config.host,
    port,
    url: `http://${shownHost}:${port}`,
    announceClose,
    close(drainMsMax) {
      announceClose();
      closing ??= end(server, drainMsMax);
      return closing;
    },
  };
}

function listen(server: Server, { host, port }: ServerConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Never 408, 413 or 431: whatever cannot be read is a 400 (decisions.md, Limits). */
function answerUnreadable(
  ports: ServerPorts, { headerBytesMax }: ServerConfig, error: UnreadableError, socket: Duplex,
  isAnswering: boolean,
): void {
  const hungUp = error.code === 'ECONNRESET' || !socket.writable;
  if (!hungUp) {
    ports.signals.requestUnreadable();
    if (!isAnswering) {
      const refusal = unreadable(error, headerBytesMax);
      socket.end(rawRefusal(ports.errors, refusal, ports.ids.nonce()));
    }
  }
  socket.once('finish', () => socket.destroy());
  if (hungUp || isAnswering) socket.destroy();
}

/** HTTP/1.1 asks for it in every request (RFC 9112, 3.2). */
function lacksHost({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersionMinor > 0;
}

function refuseWithoutHost({ errors, ids, signals }: ServerPorts, response: ServerResponse): void {
  signals.requestUnreadable();
  response.setHeader('Connection', 'close');
  writeAnswer(response, errors, {
    kind: 'refusal', code: 'malformed_body', detail: 'The header Host is missing.',
  }, { requestId: ids.nonce(), path: '', quota: undefined });
}

function end(server: Server, drainMsMax: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMsMax);
    const idle = setTimeout(
      () => server.closeIdleConnections(), Math.min(IDLE_GRACE_MS, drainMsMax),
    );
    // The close of an HTTP server would cut lines without a request at once: only stop listening.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(cut);
      clearTimeout(idle);
      server.close();
      resolve();
    });
  });
}
