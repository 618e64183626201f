import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type {
  AuthorizationAsked, AuthorizationCallEvent, AuthorizationTried, StoredCall,
} from '../../kernel/authorization-calls.ts';
import { eachFact } from '../../kernel/each-fact.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import type { OperatorPorts } from '../ports.ts';

const TOPIC = TOPICS.authorizationCalls.name;
const APPEND_MS_MAX = 15_000;

/** All calls of carriers as the log has them, by call id: the newest round and its last try. */
export async function readCalls(reader: LogReader): Promise<Map<string, StoredCall>> {
  const asked = new Map<string, AuthorizationAsked>();
  const tried = new Map<string, AuthorizationTried>();
  await eachFact<AuthorizationCallEvent>(reader, [TOPIC], (fact) => {
    if (fact.type === 'AuthorizationTried') tried.set(fact.call_id, fact);
    else if (fact.round > (asked.get(fact.call_id)?.round ?? 0)) asked.set(fact.call_id, fact);
  });
  return new Map([...asked].map(([id, fact]) => {
    const last = tried.get(id);
    return [id, { asked: fact, tried: last?.round === fact.round ? last : undefined }];
  }));
}

/** Appends a fact of a call: that it is asked for, or that its tries end. */
export async function recordCall(
  ports: OperatorPorts, fact: AuthorizationCallEvent, clientId: string,
): Promise<void> {
  await ports.log.append({
    topic: TOPIC,
    key: fact.transport_order_id,
    value: Buffer.from(JSON.stringify(fact)),
    headers: { client: clientId, 'received-at': String(fact.at_ms) },
  }, ports.clock.nowMs() + APPEND_MS_MAX);
}
