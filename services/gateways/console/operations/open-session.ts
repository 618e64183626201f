import type { ClientRecorded, StoredToken } from '../../../kernel/access.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import {
  CONSOLE_AUDIENCE, LINK_AUDIENCE, sessionCookie, SESSION_AUDIENCES,
} from '../../../kernel/sessions.ts';
import { shardOfToken } from '../../../kernel/shards.ts';
import { SCOPE_ANY } from '../../../domain/access/authorize.ts';
import { decideSession } from '../../../domain/token/session.ts';
import { problemErrors } from '../../common/problem.ts';
import {
  newToken, recordIssue, recordRevocation, tokenHash, type TokenFactPorts,
} from '../../common/tokens.ts';
import { sessionResource } from '../session-resource.ts';

/** What a session needs from outside. */
export interface BrowserSessionPorts extends TokenFactPorts {
  readonly clock: Clock;
  /** A country that is served here, which calls of RTT must name. */
  readonly country: string;
}

type SessionCall = Call<'bearer'>;

/**
 * `POST /console/session`: a one-time link, sent as a bearer token, for a session in a cookie. Like
 * any token it is refused when it is over, was used or its client's tokens were revoked.
 */
export function openSession(ports: BrowserSessionPorts): Operation<'bearer'> {
  return {
    id: 'open-session', method: 'POST', path: '/console/session',
    authentication: 'bearer', audience: LINK_AUDIENCE, scope: SCOPE_ANY,
    bodyKind: 'none', bodyBytesMax: 0, needsCountry: false, errors: problemErrors,
    handle: (call) => open(ports, call),
  };
}

async function open(ports: BrowserSessionPorts, call: SessionCall): Promise<Answer> {
  const { states } = ports;
  const link = await findLink(ports, call);
  if (link === undefined || !await useUp(ports, link, call)) return used();
  const client = await states.findClient(link.client_id);
  const tokens = new Map([CONSOLE_AUDIENCE, ...SESSION_AUDIENCES].map((audience) => (
    [audience, newToken(link.client_id)]
  )));
  const hashes = new Map([...tokens].map(([audience, token]) => [audience, tokenHash(token)]));
  const decision = decideSession(client, hashes, ports.clock.nowMs());
  if (decision.kind !== 'happened' || client === undefined) return used();
  await Promise.all(decision.events.map((event) => recordIssue(ports, event, call)));
  const granted = decision.events.map(({ audience }) => (
    [audience, tokens.get(audience) ?? ''] as const));
  return opened(client, new Map(granted), ports, call);
}

async function findLink(
  { states }: BrowserSessionPorts, call: SessionCall,
): Promise<StoredToken | undefined> {
  const token = call.header('authorization')?.replace(/^bearer +/i, '') ?? '';
  const shard = shardOfToken(token);
  return shard === undefined ? undefined : states.findToken(shard, tokenHash(token));
}

/** True for one of all callers that open a link; it is spent then, whatever follows. */
async function useUp(
  ports: BrowserSessionPorts, { token_hash, client_id, expires_at_ms }: StoredToken,
  call: SessionCall,
): Promise<boolean> {
  const event = {
    type: 'TokenRevoked', token_hash, client_id, expires_at_ms, at_ms: ports.clock.nowMs(),
  } as const;
  if (!await ports.states.takeToken(event)) return false;
  await recordRevocation(ports, event, call);
  return true;
}

function opened(
  client: ClientRecorded, tokens: ReadonlyMap<string, string>, { country }: BrowserSessionPorts,
  call: SessionCall,
): Answer {
  return {
    kind: 'answer', status: 200, body: sessionResource(client, country),
    headers: { 'Set-Cookie': sessionCookie(tokens, call.header('host')) },
  };
}

function used(): Answer {
  return {
    kind: 'refusal', code: 'invalid_token',
    detail: 'The link was used already; rastro console link gives another one.',
  };
}
