import type { AccessStates } from '../../../kernel/access.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { RecordLog } from '../../../kernel/record-log.ts';
import { shardOfToken } from '../../../kernel/shards.ts';
import { decideRevoke } from '../../../domain/token/token.ts';
import type { RevokeResponse } from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { recordRevocation, tokenHash } from '../../common/tokens.ts';
import { revocationErrors } from '../error-forms.ts';

/** What revoking needs from outside. */
export interface RevokeTokenPorts {
  readonly states: AccessStates;
  readonly log: RecordLog;
  readonly clock: Clock;
}

/** `POST /oauth/revoke`: a token of audience `revoke` ends another one at once (interface, 3). */
export function revokeToken(ports: RevokeTokenPorts): Operation {
  return defineOperation('revoke-token', {
    errors: revocationErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(ports: RevokeTokenPorts, call: CallOf<'revoke-token'>): Promise<Answer> {
  const { token } = call.body;
  const header = call.header('authorization')?.replace(/^bearer +/i, '') ?? '';
  const shard = shardOfToken(token);
  const target = shard === undefined
    ? undefined
    : await ports.states.findToken(shard, tokenHash(token));
  const decision = decideRevoke({
    client_id: call.caller.clientId,
    header_token_hash: tokenHash(header),
    token_hash: tokenHash(token),
    at_ms: ports.clock.nowMs(),
  }, target);
  if (decision.kind === 'refused') {
    return {
      kind: 'refusal', code: decision.code,
      detail: 'The header token cannot revoke itself; use another token of audience revoke.',
    };
  }
  if (decision.kind === 'happened') {
    for (const event of decision.events) {
      await recordRevocation(ports, event, call);
    }
  }
  const body: RevokeResponse = { status: 'OK' };
  return { kind: 'answer', status: 200, body };
}
