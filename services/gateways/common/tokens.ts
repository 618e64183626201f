import { createHash, randomBytes } from 'node:crypto';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { AccessStates, TokenEvent, TokenIssued, TokenRevoked } from '../../kernel/access.ts';
import type { Call } from '../../kernel/http.ts';
import type { ClientId } from '../../kernel/ids.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import { tokenText } from '../../kernel/shards.ts';

/** Where facts about tokens go. */
export interface TokenFactPorts {
  readonly states: AccessStates;
  readonly log: RecordLog;
}

type Timed = Pick<Call, 'receivedAtMs' | 'deadlineMs'>;

/** The name under which a token is known to the stores: hexadecimal SHA-256. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A new token of a client. */
export function newToken(clientId: ClientId): string {
  return tokenText(clientId, randomBytes(32).toString('base64url'));
}

/** A grant: the log first, then the state store. */
export async function recordIssue(
  { states, log }: TokenFactPorts, event: TokenIssued, call: Timed,
): Promise<void> {
  await append(log, event, call);
  await states.putToken(event);
}

/** A denial: the state store first, then the log, and once more: it may have been rebuilt. */
export async function recordRevocation(
  { states, log }: TokenFactPorts, event: TokenRevoked, call: Timed,
): Promise<void> {
  await states.denyToken(event);
  await append(log, event, call);
  await states.denyToken(event);
}

function append(log: RecordLog, event: TokenEvent, call: Timed): Promise<unknown> {
  return log.append({
    topic: TOPICS.tokens.name,
    key: event.token_hash,
    value: Buffer.from(JSON.stringify(event)),
    headers: { client: event.client_id, 'received-at': String(call.receivedAtMs) },
  }, call.deadlineMs);
}
