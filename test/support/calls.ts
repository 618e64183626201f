import type { Answer, Call, Operation } from '../../services/kernel/http.ts';

/** What a test says about a call; everything else is as for an admitted caller. */
export interface CallWishes {
  readonly clientId?: string;
  readonly body?: unknown;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly nowMs?: number;
  readonly address?: string;
}

/** Makes a call as the HTTP adapter would hand it to an operation, after admission. */
export function callOf(wishes: CallWishes = {}): Call {
  const nowMs = wishes.nowMs ?? Date.now();
  const clientId = wishes.clientId ?? '100000000000001';
  return {
    requestId: 'request-1',
    receivedAtMs: nowMs,
    deadlineMs: nowMs + 5_000,
    address: wishes.address ?? '127.0.0.1',
    params: wishes.params ?? {},
    query: { country_id: 'DE', ...wishes.query },
    header: (name) => wishes.headers?.[name.toLowerCase()],
    body: wishes.body,
    canonical: Buffer.from(JSON.stringify(wishes.body ?? null)),
    sent: { value: wishes.body, texts: new Map() },
    caller: {
      clientId, userId: `user-${clientId}`, audience: 'rtt',
      scopes: ['rtt:devices', 'rtt:locations', 'rtt:events'], providers: ['acme'],
    },
    device: undefined,
    quota: undefined,
  };
}

/** Status of an answer as the operation's own error form would write it, and its body. */
export function written(
  operation: Operation, answer: Answer,
): { status: number; body: Readonly<Record<string, unknown>>; headers: Record<string, string> } {
  if (answer.kind === 'answer') {
    const body = answer.body as Record<string, unknown>;
    return { status: answer.status, body, headers: { ...answer.headers } };
  }
  if (answer.kind === 'text') {
    return { status: answer.status, body: { text: answer.text }, headers: { ...answer.headers } };
  }
  if (answer.kind === 'stream') return { status: answer.status, body: {}, headers: {} };
  const { status, body, headers } = operation.errors.write(answer, 'request-1', operation.path);
  return { status, body: body as Record<string, unknown>, headers: { ...headers } };
}
