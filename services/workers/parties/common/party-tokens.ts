import { createBoundedCache } from '../../../kernel/bounded-cache.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Outbound } from '../../../kernel/outbound.ts';
import type { PartyRecorded } from '../../../kernel/parties.ts';
import type { Signals } from '../../../kernel/signals.ts';
import type { Vault } from '../../../kernel/vault.ts';

/** A token for a party, or why there is none. */
export type TokenReading =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'no_token'; readonly reason: 'token_refused' | 'token_unavailable' };

/** Tokens by which the platform shows parties who it is. */
export interface PartyTokens {
  current(party: PartyRecorded): Promise<TokenReading>;
  /** Says that a token was refused, so that `current` takes another one if there can be one. */
  discard(party: PartyRecorded, token: string): void;
}

/** What taking tokens needs. */
export interface PartyTokenPorts {
  readonly outbound: Outbound;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly signals: Signals;
}

interface Held {
  readonly version: number;
  readonly token: string;
  readonly renewAtMs: number;
}

type Credentials = Extract<PartyRecorded['authentication'], { kind: 'client_credentials' }>;

const UNAVAILABLE: TokenReading = { kind: 'no_token', reason: 'token_unavailable' };
const REFUSED: TokenReading = { kind: 'no_token', reason: 'token_refused' };
/** What a header may carry as a token; more would end the call before it is sent. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

/** Ratio of a token's lifetime after which another one is taken. */
const RENEW_AT_RATIO = 0.9;
const TOKENS_MAX = 1_000;

/**
 * Static tokens come out of the vault. Others are taken by client credentials as the interface
 * describes (2. Generate token), once for all callers that wait, and kept while they last. Their
 * audience is the one that the party names, or one that is the same for all. Whatever a party
 * answers, and a secret that no key of ours opens, is an outcome of that party alone.
 */
export function createPartyTokens(
  ports: PartyTokenPorts, audienceOfAll?: string,
): PartyTokens {
  const { outbound, vault, clock, signals } = ports;
  const held = createBoundedCache<string, Held>(TOKENS_MAX);
  const asking = new Map<string, Promise<TokenReading>>();

  /** Undefined for a secret that was sealed with a key which is not set here. */
  function opened(party: PartyRecorded, sealed: string): string | undefined {
    try {
      return vault.open(sealed);
    } catch (error) {
      signals.partySecretUnreadable({
        party_id: party.party_id, reason: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }

  async function ask(party: PartyRecorded, credentials: Credentials): Promise<TokenReading> {
    const secret = opened(party, credentials.sealed_secret);
    if (secret === undefined) return UNAVAILABLE;
    const basic = Buffer.from(`${credentials.client_id}:${secret}`).toString('base64');
    const { token_url } = credentials;
    const audience = audienceOfAll ?? credentials.audience;
    const reply = await outbound({
      method: 'POST',
      url: token_url,
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ audience, grant_type: 'client_credentials' })),
    });
    if (reply.kind === 'lost' || reply.status >= 500 || reply.status === 429) {
      return UNAVAILABLE;
    }
    const answer = reply.status === 200 ? readAnswer(reply.body) : undefined;
    if (answer === undefined) return REFUSED;
    held.set(party.party_id, {
      version: party.version,
      token: answer.token,
      renewAtMs: clock.nowMs() + answer.lifetimeSeconds * 1_000 * RENEW_AT_RATIO,
    });
    return { kind: 'token', token: answer.token };
  }

  return {
    async current(party) {
      const { authentication, party_id, version } = party;
      if (authentication.kind === 'static') {
        const token = opened(party, authentication.sealed_token);
        if (token === undefined) return UNAVAILABLE;
        return TOKEN.test(token) ? { kind: 'token', token } : REFUSED;
      }
      const kept = held.get(party_id);
      if (kept?.version === version && clock.nowMs() < kept.renewAtMs) {
        return { kind: 'token', token: kept.token };
      }
      const name = `${party_id} ${version}`;
      const asked = asking.get(name)
        ?? ask(party, authentication).finally(() => asking.delete(name));
      asking.set(name, asked);
      return asked;
    },

    discard(party, token) {
      if (held.get(party.party_id)?.token === token) held.delete(party.party_id);
    },
  };
}

function readAnswer(body: Buffer): { token: string; lifetimeSeconds: number } | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { access_token, expires_in } = answer as Readonly<Record<string, unknown>>;
  if (typeof access_token !== 'string' || !TOKEN.test(access_token)) return undefined;
  return { token: access_token, lifetimeSeconds: typeof expires_in === 'number' ? expires_in : 0 };
}
