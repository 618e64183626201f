import type { Audience } from '../../../schemas/generated/types.ts';
import type { ClientRecorded, TokenIssued } from '../../kernel/access.ts';
import { happened, refused, type Decision } from '../../kernel/decider.ts';
import {
  CONSOLE_AUDIENCE, LINK_AUDIENCE, LINK_SECONDS, SESSION_AUDIENCES, SESSION_SECONDS,
} from '../../kernel/sessions.ts';

/** The audiences of a session of this client; none where the console has nothing to show it. */
export function sessionAudiences({ audiences }: ClientRecorded): readonly Audience[] {
  return SESSION_AUDIENCES.filter((audience) => audiences.includes(audience));
}

/** Decides a one-time link to the console: a token that is good for nothing but a session. */
export function decideLink(
  client: ClientRecorded, tokenHash: string, atMs: number,
): Decision<TokenIssued> {
  if (client.status !== 'active') return refused('invalid_client');
  if (sessionAudiences(client).length === 0) return refused('invalid_target');
  return happened(issued(client, LINK_AUDIENCE, tokenHash, atMs, LINK_SECONDS));
}

/**
 * Decides a session for a link that was used: a token for each audience, and one for the session
 * alone. `hashes` has the hash of each, by audience.
 */
export function decideSession(
  client: ClientRecorded | undefined, hashes: ReadonlyMap<string, string>, atMs: number,
): Decision<TokenIssued> {
  if (client?.status !== 'active') return refused('invalid_client');
  const audiences = [CONSOLE_AUDIENCE, ...sessionAudiences(client)] as const;
  return happened(...audiences.flatMap((audience) => {
    const hash = hashes.get(audience);
    return hash === undefined ? [] : [issued(client, audience, hash, atMs, SESSION_SECONDS)];
  }));
}

function issued(
  client: ClientRecorded, audience: TokenIssued['audience'], tokenHash: string, atMs: number,
  seconds: number,
): TokenIssued {
  const { client_id, scopes, revocations } = client;
  return {
    type: 'TokenIssued', token_hash: tokenHash, client_id, audience, scopes,
    ...(revocations === undefined ? {} : { revocations }),
    issued_at_ms: atMs, expires_at_ms: atMs + seconds * 1_000,
  };
}
