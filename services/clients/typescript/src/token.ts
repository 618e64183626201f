import { addressOf } from './address.ts';
import { decideNext, type CallAnswer } from './decide.ts';
import { TokenRefused } from './errors.ts';
import type { Ports } from './options.ts';

/** A token that every call uses. */
export interface SharedToken {
  /** The present token, or the next one: asked for once, however many calls wait for it. */
  current(): Promise<string>;
  /** The gateway did not take this one; a newer one is left alone. */
  discard(token: string): void;
}

/** What asking for a token needs. */
export interface SharedTokenConfig {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly audience: string;
  /** One try of a request. */
  readonly send: (request: Request) => Promise<CallAnswer>;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

interface Token {
  readonly text: string;
  readonly renewAtMs: number;
}

/** The last part of its life, in which a token is replaced although it still holds. */
const SPARE = 0.05;

/** Asks when there is none, or when the one there is ends soon. */
export function createTokenSource(config: SharedTokenConfig): SharedToken {
  const { ports, signal } = config;
  let token: Token | undefined;
  let asking: Promise<Token> | undefined;

  async function ask(): Promise<Token> {
    for (let failures = 0; ; failures += 1) {
      signal.throwIfAborted();
      const answer = await config.send(requestOf(config));
      const next = decideNext(answer, {
        failures, isRenewed: true, isDone: (status) => status === 200,
        random: ports.random(), wallMs: ports.wallMs(),
      });
      if (next.step === 'refused') throw new TokenRefused(next.status, next.problem);
      if (next.step === 'done' && answer.kind === 'answer') {
        const found = tokenOf(answer.text, ports.nowMs());
        if (found !== undefined) return found;
      }
      await ports.wait(next.step === 'wait' ? next.ms : 1_000, signal);
    }
  }

  return {
    async current() {
      if (token !== undefined && ports.nowMs() < token.renewAtMs) return token.text;
      asking ??= ask().finally(() => { asking = undefined; });
      token = await asking;
      return token.text;
    },
    discard(text) {
      if (token?.text === text) token = undefined;
    },
  };
}

/** Id and secret go in the header alone (interface, Authentication). */
function requestOf({ url, clientId, clientSecret, audience }: SharedTokenConfig): Request {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return new Request(addressOf(url, '/oauth/token'), {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
    body: JSON.stringify({ audience, grant_type: 'client_credentials' }),
  });
}

function tokenOf(text: string, nowMs: number): Token | undefined {
  const { access_token, expires_in } = parsed(text);
  if (typeof access_token !== 'string' || typeof expires_in !== 'number') return undefined;
  return { text: access_token, renewAtMs: nowMs + expires_in * 1_000 * (1 - SPARE) };
}

function parsed(text: string): { readonly access_token?: unknown; readonly expires_in?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
