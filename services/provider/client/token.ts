import type { TokenResponse } from '../../../schemas/generated/types.ts';
import type { OutgoingRequest, SendOnce, WaitingClock } from '../ports.ts';
import { parseAnswer } from './answer.ts';
import { decideNext, type RepeatConfig } from './decide.ts';

/** The access token of the provider, taken when needed and renewed before it runs out. */
export interface TokenSource {
  /** A token, or `undefined` when the credentials are refused or the provider is going away. */
  readonly current: () => Promise<string | undefined>;
  /** Says that a token was refused; the next `current` takes a new one. */
  readonly discard: (token: string) => void;
}

/** What a token of the provider opens: telemetry, authorizations or notifications. */
type TokenAudience = 'rtt' | 'authorizations' | 'logistic-feed';

/** Credentials and renewal of a {@link TokenSource}. */
export interface TokenConfig extends RepeatConfig {
  readonly audience: TokenAudience;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Share of the lifetime after which a new token is taken. */
  readonly renewAtRatio: number;
}

/** What taking tokens needs; `signal` ends the repeats when the provider goes away. */
export interface TokenPorts {
  readonly send: SendOnce;
  readonly clock: WaitingClock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

interface Held {
  readonly token: string;
  readonly renewAtMs: number;
}

/**
 * Takes tokens by client credentials (interface, 2. Generate token). All devices
 * wait for the same request; 500, 429 and lost answers repeat, any other refusal ends it.
 */
export function createTokenSource(config: TokenConfig, ports: TokenPorts): TokenSource {
  const { send, clock, random, signal } = ports;
  const request = tokenRequest(config);
  let held: Held | undefined;
  let asking: Promise<Held | undefined> | undefined;

  async function ask(): Promise<Held | undefined> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      const reply = await send(request);
      const state = { failures, tokenRenewed: true, random: random(), nowMs: clock.nowMs() };
      const next = decideNext(reply, state, config);
      if (next.step === 'done' && reply.kind === 'answer') return read(reply.body);
      if (next.step !== 'wait') return undefined;
      await clock.wait(next.ms, signal);
    }
    return undefined;
  }

  function read(body: string): Held | undefined {
    const answer = parseAnswer<TokenResponse>(body);
    if (answer === undefined || typeof answer.access_token !== 'string') return undefined;
    const lifetimeMs = (answer.expires_in ?? 0) * 1000;
    const renewAtMs = clock.nowMs() + lifetimeMs * config.renewAtRatio;
    return { token: answer.access_token, renewAtMs };
  }

  return {
    async current() {
      if (held !== undefined && clock.nowMs() < held.renewAtMs) return held.token;
      asking ??= ask().finally(() => { asking = undefined; });
      held = await asking;
      return held?.token;
    },
    discard(token) {
      if (held?.token === token) held = undefined;
    },
  };
}

function tokenRequest(config: TokenConfig): OutgoingRequest {
  const basic = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString('base64');
  return {
    method: 'POST',
    path: '/oauth/token',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({
      audience: config.audience, grant_type: 'client_credentials',
    })),
  };
}
