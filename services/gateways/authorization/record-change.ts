import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import { changedParts, contentsOf } from '../../domain/authorization/contents.ts';
import { sealFact } from '../../domain/authorization/sealed-facts.ts';
import type { AuthorizationChangeAsked, StoredAuthorization } from '../../kernel/authorizations.ts';
import { sortedJson } from '../../kernel/exact-json.ts';
import type { Call } from '../../kernel/http.ts';
import type { ClientId } from '../../kernel/ids.ts';
import { shipmentSubject } from '../../kernel/personal.ts';
import { decideAndAppend, type RaceConfig } from '../common/decide-and-append.ts';
import type { AuthorizationPorts } from './decide-on-order.ts';

/** A repeat of an authorization, and what its order is at. */
export interface Repeat {
  readonly clientId: ClientId;
  /** The request with its texts cut to what is stored. */
  readonly request: AuthorizationRequest;
  readonly state: StoredAuthorization;
}

/**
 * Records a repeat that asks for something else than what is authorized, once for each content, and
 * says which parts differ; none of a plain repeat. Nothing is changed by it: the carrier has
 * answered, and the number stands until a cancellation (decisions.md, Repeat with other content).
 */
export async function recordChange(
  config: RaceConfig, ports: AuthorizationPorts, call: Call, repeat: Repeat,
): Promise<readonly string[]> {
  const { clientId, request, state } = repeat;
  if (state.contents === undefined) return [];
  const { tracking_number } = state;
  const keys = await ports.personal.forWriting([shipmentSubject(tracking_number)], call.deadlineMs);
  const contents = contentsOf(keys, tracking_number, request);
  const changed = changedParts(state.contents, contents);
  const content_hash = ports.digest(sortedJson(contents?.parts ?? []));
  if (changed.length === 0 || state.changes?.includes(content_hash) === true) return changed;
  const fact = sealFact(keys, {
    type: 'AuthorizationChangeAsked',
    client_id: clientId,
    transport_order_id: request.transport_order_id,
    shipment_id: String(request.id),
    epoch: (state.stage + 1) / 2,
    tracking_number,
    changed: [...changed],
    content_hash,
    test: request.test ?? false,
    request: { ...request },
    at_ms: ports.clock.nowMs(),
  });
  await recordOnce(config, ports, call, fact);
  return changed;
}

/** One caller at a time; who comes after it finds the change recorded. */
async function recordOnce(
  config: RaceConfig, ports: AuthorizationPorts, call: Call, fact: AuthorizationChangeAsked,
): Promise<void> {
  const claimId = ports.ids.nonce();
  await decideAndAppend<undefined, AuthorizationChangeAsked, undefined>(
    config, ports, call.deadlineMs, {
      about: 'a change of the transport order',
      load: async () => undefined,
      decide: () => ({ kind: 'go', fact }),
      async claim() {
        const answer = await ports.states.claimChange(fact, claimId);
        if (answer === 'busy') return { kind: 'busy' };
        return answer === 'moved' ? { kind: 'done', outcome: undefined } : { kind: 'go', fact };
      },
      append: () => ports.log.append({
        topic: TOPICS.authorizations.name,
        key: fact.transport_order_id,
        value: Buffer.from(JSON.stringify(fact)),
        headers: { client: fact.client_id, 'received-at': String(call.receivedAtMs) },
      }, call.deadlineMs),
      async confirm() {
        await ports.states.endChange(fact, claimId, true);
        return { kind: 'done', outcome: undefined };
      },
      release: () => ports.states.endChange(fact, claimId, false),
    },
  );
}
