import type { AuthorizationCall } from '../../../schemas/generated/types.ts';
import { callStateOf, triesOf } from '../../domain/authorization/call-projection.ts';
import type {
  AuthorizationCallEvent, AuthorizationCalls, StoredCall,
} from '../../kernel/authorization-calls.ts';
import type { Answer } from '../../kernel/http.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';

/** Where facts about calls of carriers go. */
export interface CallLogPorts {
  readonly log: RecordLog;
  readonly calls: AuthorizationCalls;
}

/** A call of a carrier as the platform sees it, without the persons in its request. */
export function authorizationCall(call: StoredCall): AuthorizationCall {
  const { asked, tried } = call;
  const { call_id, carrier, client_id, shipment_id, transport_order_id, round } = asked;
  const { status, reason, error_code, tracking_number, at_ms, next_attempt_at_ms } = tried ?? {};
  return {
    call_id, carrier, client_id, shipment_id, transport_order_id, round,
    state: callStateOf(call),
    tries: triesOf(call),
    ...(status === undefined ? {} : { last_status: status }),
    ...(reason === undefined ? {} : { last_reason: reason }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(tracking_number === undefined ? {} : { tracking_number }),
    asked_at: isoDate(asked.at_ms),
    ...(at_ms === undefined ? {} : { last_try_at: isoDate(at_ms) }),
    ...(next_attempt_at_ms === undefined ? {} : { next_try_at: isoDate(next_attempt_at_ms) }),
  };
}

/**
 * Appends a fact, and shows it at once. The log has it then, so a store that is away must not make
 * the caller ask again: the projector writes it later.
 */
export async function recordCall(
  { log, calls }: CallLogPorts, fact: AuthorizationCallEvent, clientId: string, deadlineMs: number,
): Promise<void> {
  await log.append({
    topic: TOPICS.authorizationCalls.name,
    key: fact.transport_order_id,
    value: Buffer.from(JSON.stringify(fact)),
    headers: { client: clientId, 'received-at': String(fact.at_ms) },
  }, deadlineMs);
  try {
    await calls.apply([fact]);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
  }
}

/** The answer for a call that is not known. */
export function noSuchAuthorization(): Answer {
  return {
    kind: 'refusal', code: 'authorization_not_found', detail: 'No such authorization was asked for.',
  };
}

function isoDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
