import type { Answer, Call, Operation } from '../../../kernel/http.ts';
import { CONSOLE_AUDIENCE, endedCookie, readSession } from '../../../kernel/sessions.ts';
import { shardOfToken } from '../../../kernel/shards.ts';
import { SCOPE_ANY } from '../../../domain/access/authorize.ts';
import { decideRevoke } from '../../../domain/token/token.ts';
import { problemErrors } from '../../common/problem.ts';
import { recordRevocation, tokenHash } from '../../common/tokens.ts';
import type { BrowserSessionPorts } from './open-session.ts';

/** `POST /console/session/end`: revokes every token of the session, and takes its cookie away. */
export function endSession(ports: BrowserSessionPorts): Operation<'bearer'> {
  return {
    id: 'end-session', method: 'POST', path: '/console/session/end',
    authentication: 'bearer', audience: CONSOLE_AUDIENCE, scope: SCOPE_ANY,
    bodyKind: 'none', bodyBytesMax: 0, needsCountry: false, errors: problemErrors,
    handle: (call) => end(ports, call),
  };
}

async function end(ports: BrowserSessionPorts, call: Call<'bearer'>): Promise<Answer> {
  const host = call.header('host');
  // Its own token last: what failed before can be asked for again.
  const tokens = [...readSession(call.header('cookie'), host)]
    .toSorted(([one], [other]) => orderOf(one) - orderOf(other));
  for (const [, token] of tokens) await revoke(ports, token, call);
  return {
    kind: 'answer', status: 200, body: { status: 'OK' },
    headers: { 'Set-Cookie': endedCookie(host) },
  };
}

function orderOf(audience: string): number {
  return audience === CONSOLE_AUDIENCE ? 1 : 0;
}

async function revoke(ports: BrowserSessionPorts, token: string, call: Call<'bearer'>): Promise<void> {
  const shard = shardOfToken(token);
  if (shard === undefined) return;
  const hash = tokenHash(token);
  const decision = decideRevoke({
    client_id: call.caller.clientId, header_token_hash: '', token_hash: hash,
    at_ms: ports.clock.nowMs(),
  }, await ports.states.findToken(shard, hash));
  if (decision.kind !== 'happened') return;
  for (const event of decision.events) await recordRevocation(ports, event, call);
}
