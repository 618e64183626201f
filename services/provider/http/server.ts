import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Response } from 'express';
import { problem, type AnswerCommand, type CommandAnswer } from '../commands/answer-command.ts';

/** Where the provider listens. */
export interface ProviderServerConfig {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly bodyBytesMax: number;
}

/** What the provider serves: its commands, and a status page for people. */
export interface ProviderServerPorts {
  readonly answerCommand: AnswerCommand;
  readonly status: () => object;
}

/** A listening server; `close` ends after the requests in flight. */
export interface ListeningServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Serves `POST /rtt/commands`, `GET /status` and `GET /healthz`. Rejects when it cannot listen. */
export async function listen(
  config: ProviderServerConfig, ports: ProviderServerPorts,
): Promise<ListeningServer> {
  const app = express().disable('x-powered-by').disable('etag');
  const json = express.json({
    limit: config.bodyBytesMax, strict: true, type: 'application/json', inflate: true,
  });
  app.post('/rtt/commands', json, (request, response) => {
    write(response, ports.answerCommand(request.get('authorization'), request.body));
  });
  app.get('/status', (_request, response) => { response.json(ports.status()); });
  app.get('/healthz', (_request, response) => { response.json({ status: 'ok' }); });
  app.use(onError);
  const server = await new Promise<Server>((resolve, reject) => {
    const opened = app.listen(config.port, config.host, (error?: Error) => {
      if (error === undefined) resolve(opened);
      else reject(error);
    });
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${config.host}:${port}`, close: () => close(server) };
}

/** A body that cannot be read is the caller's fault; anything else is ours. */
const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = (error as { status?: unknown }).status;
  const isCallers = typeof status === 'number' && status >= 400 && status < 500;
  write(response, isCallers
    ? problem(400, status === 413 ? 'payload_too_large' : 'malformed_json', 'Unreadable body.')
    : problem(500, 'internal', 'The provider failed.'));
};

function write(response: Response, answer: CommandAnswer): void {
  const requestId = randomUUID();
  response.status(answer.status).set({
    'content-type': 'application/json', 'x-request-id': requestId, ...answer.headers,
  });
  const id = answer.status === 200 ? {} : { request_id: requestId };
  response.end(JSON.stringify({ ...answer.body, ...id }));
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
