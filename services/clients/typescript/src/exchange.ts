import { addressOf } from './address.ts';
import { decideNext, type CallAnswer, type NextTry } from './decide.ts';
import type { SendPace } from './pace.ts';
import type { Ports } from './options.ts';
import type { SharedToken } from './token.ts';

/** A call as it goes out, each time the same. */
export interface OutgoingCall {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer;
  readonly items: number;
  readonly isDone: (status: number) => boolean;
}

/** A final answer, or how long the device of the call waits before its next try. */
export type CallOutcome =
  | { readonly kind: 'done'; readonly answer: CallAnswer & { readonly kind: 'answer' } }
  | NextTry & { readonly step: 'refused' } & { readonly kind: 'refused' }
  | { readonly kind: 'wait'; readonly ms: number };

/** One try with a token. A 429 of the client and a token that ran out are handled in it. */
export type Exchange = (call: OutgoingCall, failures: number) => Promise<CallOutcome>;

/** What a try needs. */
export interface ExchangeConfig {
  readonly url: string;
  readonly tokens: SharedToken;
  readonly pace: SendPace;
  readonly send: (request: Request) => Promise<CallAnswer>;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** Calls of one client; a limit of the client holds all of them back for the whole wait. */
export function createExchange(config: ExchangeConfig): Exchange {
  const { url, tokens, pace, send, ports, signal } = config;
  let openAtMs = 0;

  async function whenOpen(): Promise<void> {
    for (let left = openAtMs - ports.nowMs(); left > 0; left = openAtMs - ports.nowMs()) {
      await ports.wait(left, signal);
      signal.throwIfAborted();
    }
  }

  return async function exchange(call, failures) {
    let isRenewed = false;
    for (;;) {
      await whenOpen();
      const token = await tokens.current();
      await pace(call.items, call.body?.length ?? 0);
      // Another call may have met the limit meanwhile.
      await whenOpen();
      signal.throwIfAborted();
      const answer = await send(requestOf(url, call, token));
      const next = decideNext(answer, {
        failures, isRenewed, isDone: call.isDone, random: ports.random(), wallMs: ports.wallMs(),
      });
      switch (next.step) {
        case 'done':
          if (answer.kind === 'answer') return { kind: 'done', answer };
          break;
        case 'refused': return { kind: 'refused', ...next };
        case 'renew token':
          isRenewed = true;
          tokens.discard(token);
          break;
        case 'wait':
          if (next.of === 'device') return { kind: 'wait', ms: next.ms };
          openAtMs = Math.max(openAtMs, ports.nowMs() + next.ms);
          break;
      }
    }
  };
}

/** One try of a request, with its whole answer. What fails on the line is a lost answer. */
export function sendOnce(
  ports: Ports, callMs: number,
): (request: Request) => Promise<CallAnswer> {
  return async (request) => {
    try {
      const response = await ports.fetch(request, {
        redirect: 'manual', signal: AbortSignal.timeout(callMs),
      });
      const { status, headers } = response;
      return { kind: 'answer', status, headers, text: await response.text() };
    } catch (error) {
      return { kind: 'lost', reason: String(error) };
    }
  };
}

function requestOf(url: string, { method, path, body }: OutgoingCall, token: string): Request {
  const headers = { authorization: `Bearer ${token}` };
  if (body === undefined) return new Request(addressOf(url, path), { method, headers });
  return new Request(addressOf(url, path), {
    method, headers: { ...headers, 'content-type': 'application/json' }, body: new Uint8Array(body),
  });
}
