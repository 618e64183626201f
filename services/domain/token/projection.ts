import type { StoredToken, TokenEvent } from '../../kernel/access.ts';

/** A token as its facts make it. What only its issue says is absent until that is known. */
export interface TokenState extends Omit<StoredToken, 'audience'> {
  readonly audience?: string;
  readonly scopes?: readonly string[];
  readonly revocations?: number;
  readonly issued_at_ms?: number;
}

/** Issue and revocation end the same in any order: revoked stays revoked. */
export function foldToken(kept: TokenState | undefined, event: TokenEvent): TokenState {
  const { token_hash, client_id, expires_at_ms } = event;
  const revoked = event.type === 'TokenRevoked' || kept?.revoked === true;
  const common = { ...kept, token_hash, client_id, expires_at_ms, revoked };
  if (event.type === 'TokenRevoked') return common;
  const { audience, scopes, revocations, issued_at_ms } = event;
  const counted = revocations === undefined ? {} : { revocations };
  return { ...common, audience, scopes, ...counted, issued_at_ms };
}
