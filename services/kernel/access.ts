import type {
  ClientLimits, ClientRecorded, ClientSecret, TokenIssued, TokenRecord, TokenRevoked,
} from '../../schemas/generated/types.ts';
import type { ClientId } from './ids.ts';

/** Clients and tokens as facts, as recorded in `oauth.clients.v1` and `oauth.tokens.v1`. */
export type { ClientLimits, ClientRecorded, ClientSecret, TokenIssued, TokenRevoked };

/** Any fact about a token. */
export type TokenEvent = TokenRecord;

/** A token as the state store holds it. */
export interface StoredToken {
  readonly token_hash: string;
  readonly client_id: ClientId;
  readonly audience: string;
  readonly expires_at_ms: number;
  readonly revoked: boolean;
}

/** State of a limit on token requests after one request was charged to it. */
export interface TokenQuota {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/** Limits of token requests. Rejects with the outages of the state store. */
export interface TokenLimits {
  /** Charges a token request that proved nothing to the address that it comes from. */
  chargeTokenRequest(address: string): Promise<TokenQuota>;
  /**
   * Charges a client that proved itself, and forgets what failed for it from this address. Only who
   * knows the secret can use up this limit.
   */
  chargeProvenClient(clientId: ClientId, address: string): Promise<TokenQuota>;
  /**
   * Notes that what was given for a client id was wrong, whether or not there is such a client.
   * After some failures from one address every further one has to wait longer.
   */
  recordTokenFailure(clientId: ClientId, address: string): Promise<TokenQuota>;
}

/**
 * Clients and tokens in the state store. Every call rejects with `Unavailable` `state_unavailable`
 * or `state_not_ready`. Applying is idempotent: a client by version, a revocation forever.
 */
export interface AccessStates extends TokenLimits {
  findClient(clientId: ClientId): Promise<ClientRecorded | undefined>;
  findToken(shard: number, tokenHash: string): Promise<StoredToken | undefined>;
  putToken(event: TokenIssued): Promise<void>;
  /** Denies the token at once; also one that the store does not know yet. */
  denyToken(event: TokenRevoked): Promise<void>;
  /** Does the same; true for the one caller that found the token good: it may be used once. */
  takeToken(event: TokenRevoked): Promise<boolean>;
  applyClient(event: ClientRecorded): Promise<void>;
  applyTokens(events: readonly TokenEvent[]): Promise<void>;
}
