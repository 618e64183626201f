import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { callRaw } from '../../support/decisions/raw-call.ts';
import { exampleCall, type ExampleCall } from '../../support/documented-answers.ts';
import { EDGE_TOKEN } from '../../support/edge.ts';
import { CALLER, CALLER_SECRET, type WholeEdge } from '../../support/whole-edge.ts';
import { factsOf } from './callers.ts';
import { changed } from './change-body.ts';
import type { SentCall } from './wrong-call.ts';

/** An answer as it came. */
export interface CameAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Buffer | undefined;
}

/** Sends a wrong call to the gateway as its caller, after what has to happen before it. */
export async function sendCall(at: WholeEdge, call: SentCall): Promise<CameAnswer> {
  const operation = OPERATIONS[call.to as keyof typeof OPERATIONS];
  await call.before?.(at);
  at.admit(call.to, factsOf(operation, call.as, call.device));
  if (call.raw !== undefined) {
    const { status, text, headers } = await callRaw(at.edge.url, call.raw);
    return { status, text, headers: Object.fromEntries(headers) };
  }
  const example = exampleCall(call.to, { params: call.params ?? {} });
  return exchange(at.edge.url, {
    method: call.method ?? example.method,
    path: targetOf(call, example),
    headers: headersOf(call, example.contentType, operation.authentication),
    body: bodyOf(call, example),
  });
}

/** The target of the request line. */
export function targetOf(call: SentCall, { path }: ExampleCall): string {
  return call.target ?? path.replace(/\?$/, '') + (call.more ?? '');
}

/** The JSON value of the body that is sent; undefined where there is none, or bytes are sent. */
export function valueSent(call: SentCall): unknown {
  if (call.bytes !== undefined) return undefined;
  if ('body' in call) return call.body;
  const { body } = exampleCall(call.to, { params: call.params ?? {} });
  return body === undefined ? undefined : changed(body, call.set ?? {}, call.drop ?? []);
}

function bodyOf(call: SentCall, { contentType }: ExampleCall): string | Buffer | undefined {
  if (call.bytes !== undefined) return call.bytes;
  const value = valueSent(call);
  if (value === undefined) return undefined;
  if (contentType === 'application/json') return JSON.stringify(value);
  return new URLSearchParams(value as Record<string, string>).toString();
}

function headersOf(
  { headers = {} }: SentCall, contentType: string | undefined, authentication: string,
): OutgoingHttpHeaders {
  const basic = Buffer.from(`${CALLER}:${CALLER_SECRET}`).toString('base64');
  const credentials: Readonly<Record<string, string>> = {
    bearer: `Bearer ${EDGE_TOKEN}`, basic: `Basic ${basic}`,
  };
  const all: Readonly<Record<string, string | readonly string[] | null | undefined>> = {
    'authorization': credentials[authentication], 'content-type': contentType, ...headers,
  };
  const sent: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined || value === null) continue;
    sent[name] = typeof value === 'string' ? value : [...value];
  }
  return sent;
}

function exchange(url: string, { body, ...sent }: Sent): Promise<CameAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const call = request({ hostname, port, agent: false, ...sent }, (response) => {
      read(response).then(resolve, reject);
    });
    call.on('error', reject);
    if (body !== undefined) call.setHeader('content-length', Buffer.byteLength(body));
    call.end(body);
  });
}

async function read(response: IncomingMessage): Promise<CameAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers as Readonly<Record<string, string | undefined>>,
    text: Buffer.concat(chunks).toString('utf8'),
  };
}
