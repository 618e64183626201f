/** A secret of a client: only its keyed hash is kept. Two may be live at once, for rotation. */
export interface ClientSecret {
  readonly secret_id: string;
  readonly hash: string;
  readonly created_at_ms: number;
}

/** A client as it stands in `oauth.clients.v1`: the newest fact of a client id is the client. */
export interface ClientRecorded {
  readonly type: 'ClientRecorded';
  readonly client_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly providers: readonly string[];
  readonly audiences: readonly string[];
  readonly scopes: readonly string[];
  readonly secrets: readonly ClientSecret[];
  readonly status: 'active' | 'disabled';
  readonly version: number;
  readonly at_ms: number;
}

/** A token was issued; only the SHA-256 of the token is known (interface, 2. Generate token). */
export interface TokenIssued {
  readonly type: 'TokenIssued';
  readonly token_hash: string;
  readonly client_id: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly issued_at_ms: number;
  readonly expires_at_ms: number;
}

/** A token was revoked; it never becomes good again (interface, 3. Revoke token). */
export interface TokenRevoked {
  readonly type: 'TokenRevoked';
  readonly token_hash: string;
  readonly client_id: string;
  readonly expires_at_ms: number;
  readonly at_ms: number;
}

/** Any fact about a token. */
export type TokenEvent = TokenIssued | TokenRevoked;

/** A token as the state store holds it. */
export interface StoredToken {
  readonly token_hash: string;
  readonly client_id: string;
  readonly audience: string;
  readonly expires_at_ms: number;
  readonly revoked: boolean;
}

/** State of the limit on token requests after one request was charged to it. */
export interface TokenQuota {
  readonly allowed: boolean;
  readonly retryAfterSeconds: number;
}

/**
 * Clients and tokens in the state store. Every call rejects with Fault `state_unavailable` or
 * `state_not_ready`. Applying is idempotent: a client by version, a revocation for ever.
 */
export interface AccessStates {
  findClient(clientId: string): Promise<ClientRecorded | undefined>;
  findToken(shard: number, tokenHash: string): Promise<StoredToken | undefined>;
  putToken(event: TokenIssued): Promise<void>;
  /** Denies the token at once; also one that the store does not know yet. */
  denyToken(event: TokenRevoked): Promise<void>;
  chargeTokenRequest(clientId: string, address: string): Promise<TokenQuota>;
  applyClient(event: ClientRecorded): Promise<void>;
  applyTokens(events: readonly TokenEvent[]): Promise<void>;
}
