import type { RequestListener, ServerResponse } from 'node:http';
import { KEPT_NOWHERE } from '../write-answer.ts';

/** What the operators' endpoints ask. */
export interface AdminPorts {
  /** Names of parts that do not answer now; empty when all do. Must end on its own. */
  readonly unready: () => Promise<readonly string[]>;
  readonly isDraining: () => boolean;
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
}

/**
 * `/healthz` (the process lives; depends on nothing else), `/readyz` (503 while a part is missing
 * or the process is going away) and `/metrics`, for a port that callers do not reach.
 */
export function createAdmin(ports: AdminPorts): RequestListener {
  return (request, response) => {
    request.resume();
    answer(ports, request.url ?? '', response).catch(() => {
      if (!response.headersSent) writeJson(response, 503, { status: 'unready', missing: [] });
    });
  };
}

async function answer(ports: AdminPorts, url: string, response: ServerResponse): Promise<void> {
  switch (url) {
    case '/healthz':
      writeJson(response, 200, { status: 'alive' });
      return;
    case '/readyz': {
      const missing = ports.isDraining() ? ['draining'] : await ports.unready();
      const isReady = missing.length === 0;
      writeJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'unready', missing });
      return;
    }
    case '/metrics': {
      const { contentType, text } = await ports.metrics();
      response.writeHead(200, headOf(contentType)).end(text);
      return;
    }
    default:
      writeJson(response, 404, { status: 'unknown' });
  }
}

function writeJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, headOf('application/json')).end(JSON.stringify(body));
}

function headOf(contentType: string): string[] {
  return ['Content-Type', contentType, ...KEPT_NOWHERE];
}
