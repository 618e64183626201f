import type {
  ClientRecorded, StoredToken, TokenIssued, TokenRevoked,
} from '../../kernel/access.ts';
import { happened, refused, unchanged, type Decision } from '../../kernel/decider.ts';
import { TOKEN_LIFETIME_SECONDS } from '../../kernel/limits.ts';
import type { Audience } from '../../../schemas/generated/types.ts';
import type { ClientId } from '../../kernel/ids.ts';

/** A request for a token by a caller whose secret was compared already. */
export interface IssueToken {
  readonly secret_matches: boolean;
  readonly audience: Audience;
  readonly token_hash: string;
  readonly at_ms: number;
}

/** True when a caller is an active client that knows its secret. */
export function isProven(
  client: ClientRecorded | undefined, secretMatches: boolean,
): client is ClientRecorded {
  return client?.status === 'active' && secretMatches;
}

/**
 * Decides a token request. Every client may have tokens of audience `revoke`, since revocation is
 * mandatory for an integration; all other audiences must be among the client's own.
 */
export function decideIssue(
  command: IssueToken, client: ClientRecorded | undefined,
): Decision<TokenIssued> {
  if (!isProven(client, command.secret_matches)) return refused('invalid_client');
  const allowed = command.audience === 'revoke' || client.audiences.includes(command.audience);
  if (!allowed) return refused('invalid_target');
  return happened({
    type: 'TokenIssued',
    token_hash: command.token_hash,
    client_id: client.client_id,
    audience: command.audience,
    scopes: client.scopes,
    ...(client.revocations === undefined ? {} : { revocations: client.revocations }),
    issued_at_ms: command.at_ms,
    expires_at_ms: command.at_ms + TOKEN_LIFETIME_SECONDS * 1_000,
  });
}

/** A revocation by the holder of the header token, whose audience was checked already. */
export interface RevokeToken {
  readonly client_id: ClientId;
  readonly header_token_hash: string;
  readonly token_hash: string;
  readonly at_ms: number;
}

/**
 * Decides a revocation. Unknown, expired, revoked and foreign tokens all look alike: nothing to do
 * (RFC 7009, no oracle). The header token can never revoke itself.
 */
export function decideRevoke(
  command: RevokeToken, target: StoredToken | undefined,
): Decision<TokenRevoked> {
  if (command.token_hash === command.header_token_hash) return refused('invalid_request');
  const own = target !== undefined && target.client_id === command.client_id;
  if (!own || target.expires_at_ms <= command.at_ms) return unchanged;
  return happened({
    type: 'TokenRevoked',
    token_hash: command.token_hash,
    client_id: command.client_id,
    expires_at_ms: target.expires_at_ms,
    at_ms: command.at_ms,
  });
}
