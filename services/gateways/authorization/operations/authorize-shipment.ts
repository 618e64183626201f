import type { AuthorizationMarks, StoredAuthorization } from '../../../kernel/authorizations.ts';
import { Unavailable } from '../../../kernel/unavailable.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { AuthorizeShipment } from '../../../domain/authorization/authorization.ts';
import { nextEpochOf } from '../../../domain/authorization/authorization.ts';
import { storedRequest } from '../../../domain/authorization/stored-texts.ts';
import type {
  AuthorizationRequest, AuthorizationResponse,
} from '../../../../schemas/generated/types.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import type { RaceConfig } from '../../common/decide-and-append.ts';
import {
  decideOnOrder, type AuthorizationPorts, type OrderOutcome,
} from '../decide-on-order.ts';
import { trackingNumberOf } from '../../../domain/authorization/tracking-number.ts';
import { recordChange } from '../record-change.ts';
import { OWN_ERRORS, pathFault } from './shared.ts';
import type { ClientId } from '../../../kernel/ids.ts';

/** Settings of the carrier that this deployment authorizes for. */
export interface AuthorizeConfig extends RaceConfig {
  /**
   * Client that will notify about the numbers given here; absent when no client is bound to them.
   */
  readonly carrierClientId: ClientId | undefined;
  /** Contracts under which a shipment needs an agency (decisions.md, Agency). */
  readonly contractsRequiringAgency: readonly string[];
}

/**
 * `POST /shipments/{shipment_id}/authorization`: one tracking number and one answer for a transport
 * order until it is cancelled, however often and from wherever it is asked for (interface, 1).
 */
export function authorizeShipment(config: AuthorizeConfig, ports: AuthorizationPorts): Operation {
  return defineOperation('authorize-shipment', {
    ...OWN_ERRORS,
    keepsNumbers: true,
    handle: (call) => handle(config, ports, call),
  });
}

async function handle(
  config: AuthorizeConfig, ports: AuthorizationPorts, call: CallOf<'authorize-shipment'>,
): Promise<Answer> {
  const request = call.body;
  const fault = pathFault(call, request.id);
  if (fault !== undefined) return fault;
  const clientId = call.caller.clientId;
  const stored = storedRequest(request, Buffer.from(call.canonical).toString('utf8'));
  const outcome = await decideOnOrder(config, ports, call, {
    clientId,
    transportOrderId: request.transport_order_id,
    commandOn: (state, marks) => commandOn(
      config, ports, clientId, stored, state,
      marks ?? { at_ms: ports.clock.nowMs(), test: request.test ?? false },
    ),
  });
  if (outcome.kind === 'refused_by_rule') {
    return {
      kind: 'refusal',
      code: 'validation_failed',
      detail: 'The contract needs an agency.',
      errorCode: outcome.event.error_code,
    };
  }
  const changed = outcome.kind === 'unchanged'
    ? await recordChange(config, ports, call, { clientId, request: stored, state: outcome.state })
    : [];
  return { kind: 'answer', status: 200, body: bodyFor(request, answerIn(outcome), changed) };
}

function commandOn(
  config: AuthorizeConfig, ports: Pick<AuthorizationPorts, 'numbers'>, clientId: ClientId,
  request: AuthorizationRequest, state: StoredAuthorization | undefined, marks: AuthorizationMarks,
): AuthorizeShipment {
  const { tracking_number, ...others } = marks;
  return {
    type: 'AuthorizeShipment',
    client_id: clientId,
    carrier_client_id: config.carrierClientId,
    next_tracking_number: tracking_number ?? trackingNumberOf(ports.numbers, {
      carrierClientId: config.carrierClientId ?? '',
      clientId,
      transportOrderId: request.transport_order_id,
      epoch: nextEpochOf(state),
      test: marks.test,
    }),
    request,
    contracts_requiring_agency: config.contractsRequiringAgency,
    ...others,
  };
}

function answerIn(outcome: OrderOutcome): AuthorizationResponse {
  const answer = outcome.kind === 'unchanged'
    ? outcome.state.answer
    : outcome.kind === 'moved' && outcome.event.type === 'ShipmentAuthorized'
      ? outcome.event.answer
      : undefined;
  if (answer === undefined) throw new Unavailable('internal', 'decide', 'authorized without an answer');
  return answer;
}

const POINTERS_SHOWN_MAX = 5;

/**
 * The stored answer byte for byte; only a repeat under another id gets its own id back, and one
 * with other content hears what differs, in the words for people.
 */
function bodyFor(
  request: AuthorizationRequest, answer: AuthorizationResponse, changed: readonly string[],
): AuthorizationResponse {
  const same = { ...answer, id: String(request.id) };
  if (changed.length === 0) return same;
  const more = changed.length > POINTERS_SHOWN_MAX ? ' and more' : '';
  const parts = changed.slice(0, POINTERS_SHOWN_MAX).join(', ');
  return {
    ...same,
    status_message: 'The shipment is authorized as it was asked for first. This request differs in '
      + `${parts}${more}: that is recorded, and not applied. Cancel and authorize again to change it.`,
  };
}
