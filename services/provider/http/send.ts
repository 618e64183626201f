import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { OutgoingRequest, HttpReply, SendOnce } from '../ports.ts';

/** Limits of the connections to the platform. */
export interface SendConfig {
  readonly baseUrl: string;
  readonly socketsMax: number;
  /** The whole exchange must be over by then; later it counts as lost. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
}

/** Sends over kept-alive connections. `close` ends the idle ones. */
export function createSend(config: SendConfig): { send: SendOnce; close: () => void } {
  const base = new URL(config.baseUrl);
  const secure = base.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: config.socketsMax, scheduling: 'lifo' } as const;
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  const open = secure ? httpsRequest : httpRequest;
  const prefix = base.pathname.replace(/\/$/, '');

  function send(outgoing: OutgoingRequest): Promise<HttpReply> {
    return new Promise((resolve) => {
      const lost = (reason: string) => resolve({ kind: 'lost', reason });
      const request = open(new URL(prefix + outgoing.path, base), {
        method: outgoing.method,
        headers: { ...outgoing.headers, 'content-length': outgoing.body?.length ?? 0 },
        agent,
        signal: AbortSignal.timeout(config.timeoutMs),
      });
      request.on('error', (error) => lost(error.name));
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > config.answerBytesMax) response.destroy();
          else chunks.push(chunk);
        });
        response.on('error', (error) => lost(error.name));
        response.on('close', () => lost('cut'));
        response.on('end', () => resolve({
          kind: 'answer',
          status: response.statusCode ?? 0,
          headers: singleHeaders(response.headers),
          body: Buffer.concat(chunks).toString('utf8'),
        }));
      });
      request.end(outgoing.body);
    });
  }

  return { send, close: () => agent.destroy() };
}

function singleHeaders(
  headers: NodeJS.Dict<string | string[]>,
): Readonly<Record<string, string | undefined>> {
  const single: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) single[name] = value?.toString();
  return single;
}
