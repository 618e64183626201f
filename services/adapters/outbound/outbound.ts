import {
  Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Outbound, OutboundReply, OutboundRequest } from '../../kernel/outbound.ts';
import { passStep } from '../signals/steps.ts';
import { ForbiddenAddress, guardedLookup, mayCall, type AddressRules } from './addresses.ts';

/** Limits of calls to parties. */
export interface OutboundConfig extends AddressRules {
  /** The whole exchange must be over by then. */
  readonly timeoutMs: number;
  /** A longer body is cut there and the line is closed. */
  readonly answerBytesMax: number;
  readonly socketsMaxPerHost: number;
}

/** Calls parties over kept-alive lines; `close` ends the idle ones. */
export function openOutbound(config: OutboundConfig): { call: Outbound; close: () => void } {
  const options = {
    keepAlive: true, maxSockets: config.socketsMaxPerHost, lookup: guardedLookup(config),
  };
  const plain = new HttpAgent(options);
  const secure = new HttpsAgent({ ...options, rejectUnauthorized: true, minVersion: 'TLSv1.2' });

  function call(outgoing: OutboundRequest): Promise<OutboundReply> {
    const url = URL.parse(outgoing.url);
    if (url === null || !mayCall(url, config)) {
      return Promise.resolve({ kind: 'lost', reason: 'forbidden_address' });
    }
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve) => {
      const late = AbortSignal.timeout(config.timeoutMs);
      const lost = (error?: Error): void => resolve({ kind: 'lost', reason: reasonOf(error, late) });
      const request = begun(() => (isSecure ? httpsRequest : httpRequest)(url, {
        method: outgoing.method,
        headers: { ...outgoing.headers, ...lengthOf(outgoing) },
        agent: isSecure ? secure : plain,
        signal: late,
      }));
      if (request === undefined) {
        lost();
        return;
      }
      request.on('error', lost);
      request.on('response', (response) => {
        passStep('outbound.after', url.pathname);
        readAnswer(response, config, resolve, lost);
      });
      passStep('outbound.before', url.pathname);
      request.end(outgoing.body);
    });
  }

  function close(): void {
    plain.destroy();
    secure.destroy();
  }

  return { call, close };
}

/** What HTTP cannot carry, such as a line break in a header, ends the call and nothing else. */
function begun(begin: () => ClientRequest): ClientRequest | undefined {
  try {
    return begin();
  } catch {
    return undefined;
  }
}

function readAnswer(
  response: IncomingMessage, config: OutboundConfig, resolve: (reply: OutboundReply) => void,
  lost: (error?: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const answer = (isCut: boolean): void => resolve({
    kind: 'answer',
    status: response.statusCode ?? 0,
    headers: singleHeaders(response.headers),
    body: Buffer.concat(chunks),
    isCut,
  });
  response.on('data', (chunk: Buffer) => {
    if (bytes + chunk.length <= config.answerBytesMax) chunks.push(chunk);
    else {
      answer(true);
      response.destroy();
    }
    bytes += chunk.length;
  });
  response.on('end', () => answer(false));
  response.on('error', lost);
  response.on('close', () => lost());
}

function lengthOf({ method, body }: OutboundRequest): Readonly<Record<string, number>> {
  return method === 'GET' ? {} : { 'content-length': body?.length ?? 0 };
}

function reasonOf(
  error: Error | undefined, late: AbortSignal,
): 'timeout' | 'network' | 'forbidden_address' {
  if (error instanceof ForbiddenAddress) return 'forbidden_address';
  return late.aborted ? 'timeout' : 'network';
}

function singleHeaders(
  headers: NodeJS.Dict<string | string[]>,
): Readonly<Record<string, string | undefined>> {
  const single: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) single[name] = value?.toString();
  return single;
}
