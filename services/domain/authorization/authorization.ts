import type {
  AuthorizationEvent, AuthorizationMarks, AuthorizationMove, AuthorizationRefused,
  AuthorizationResponse, ShipmentAuthorized, ShipmentCancelled, StoredAuthorization,
} from '../../kernel/authorizations.ts';
import { stageOf } from '../../kernel/authorizations.ts';
import { happened, refused, unchanged, type Decider, type Decision } from '../../kernel/decider.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import type { ClientId, ShipmentId, TrackingNumber, TransportOrderId } from '../../kernel/ids.ts';

/** A transport order of one client, or `undefined` when it is not known. */
export type AuthorizationState = StoredAuthorization | undefined;

/** Asks for the authorization of a shipment. `next_tracking_number` is that of the next epoch. */
export interface AuthorizeShipment extends AuthorizationMarks {
  readonly type: 'AuthorizeShipment';
  readonly client_id: ClientId;
  readonly carrier_client_id: ClientId | undefined;
  readonly next_tracking_number: TrackingNumber;
  /** The request with its texts cut to what is stored. */
  readonly request: AuthorizationRequest;
  readonly contracts_requiring_agency: readonly string[];
}

/** Takes the authorization of the current epoch back. */
export interface CancelShipment {
  readonly type: 'CancelShipment';
  readonly client_id: ClientId;
  readonly transport_order_id: TransportOrderId;
  readonly shipment_id: ShipmentId;
  readonly reason: string | undefined;
  readonly at_ms: number;
}

/** Any command to a transport order (interface, 1; decisions.md, Cancellation). */
export type AuthorizationCommand = AuthorizeShipment | CancelShipment;

/** What a transport order is at: what its rank says, unless a cancellation denies already. */
export type AuthorizationStanding = 'unknown' | 'authorized' | 'cancelling' | 'cancelled';

type Move = 'authorized' | 'cancelled' | 'cancelled_authorized' | 'unchanged' | 'unknown_shipment';

/** The state table of the interface (States) and of decisions.md, Cancellation. */
export const AUTHORIZATION_MOVES: Readonly<
  Record<AuthorizationCommand['type'], Readonly<Record<AuthorizationStanding, Move>>>
> = {
  AuthorizeShipment: {
    unknown: 'authorized', authorized: 'unchanged',
    cancelling: 'cancelled_authorized', cancelled: 'authorized',
  },
  CancelShipment: {
    unknown: 'unknown_shipment', authorized: 'cancelled',
    cancelling: 'cancelled', cancelled: 'unchanged',
  },
};

/** Decides authorization and cancellation of one transport order. Pure and total. */
export const authorizationDecider: Decider<
  AuthorizationState, AuthorizationCommand, AuthorizationEvent
> = { initial: undefined, decide, evolve };

/** Where a transport order stands, see {@link AuthorizationStanding}. */
export function standingOf(state: AuthorizationState): AuthorizationStanding {
  if (state === undefined || state.stage === 0) return 'unknown';
  if (state.cancellation !== undefined) return 'cancelling';
  return state.stage % 2 === 1 ? 'authorized' : 'cancelled';
}

function decide(
  command: AuthorizationCommand, state: AuthorizationState,
): Decision<AuthorizationEvent> {
  const move = AUTHORIZATION_MOVES[command.type][standingOf(state)];
  if (move === 'unchanged' && command.type === 'AuthorizeShipment') return unchanged;
  if (command.type === 'CancelShipment') return decideCancel(command, state, move);
  if (lacksAgency(command)) return happened(refusal(command));
  const before = move === 'cancelled_authorized' && state?.cancellation !== undefined
    ? [state.cancellation]
    : [];
  return happened<AuthorizationEvent>(...before, authorization(command, nextEpochOf(state)));
}

/** A shipment that was authorized under another id is one that is not known. */
function decideCancel(
  command: CancelShipment, state: AuthorizationState, move: Move,
): Decision<AuthorizationEvent> {
  if (state === undefined || move === 'unknown_shipment') return refused('invalid_parameter');
  if (command.shipment_id !== state.shipment_id) return refused('invalid_parameter');
  if (move === 'unchanged') return unchanged;
  return happened<AuthorizationEvent>(state.cancellation ?? cancellation(command, state));
}

/** The epoch that the next authorization opens; a cancelling one counts as over. */
export function nextEpochOf(state: AuthorizationState): number {
  return Math.floor(((state?.stage ?? 0) + 1) / 2) + 1;
}

function lacksAgency({ request, contracts_requiring_agency }: AuthorizeShipment): boolean {
  const { contract, agency } = request.carrier_information ?? {};
  if (contract === undefined || !contracts_requiring_agency.includes(contract)) return false;
  return agency?.id === undefined || agency.id === '';
}

function authorization(command: AuthorizeShipment, epoch: number): ShipmentAuthorized {
  const { request, carrier_client_id, test, at_ms } = command;
  return {
    type: 'ShipmentAuthorized',
    client_id: command.client_id,
    transport_order_id: request.transport_order_id,
    shipment_id: String(request.id),
    ...(carrier_client_id === undefined ? {} : { carrier_client_id }),
    epoch,
    tracking_number: command.next_tracking_number,
    test,
    asks_secret_word: (request.keyword ?? '') !== '',
    answer: answerOf(String(request.id), command.next_tracking_number, at_ms),
    request: { ...request },
    at_ms,
  };
}

/** The label's barcode is all that a carrier of this kind agrees on for labeling. */
function answerOf(
  id: string, tracking_number: TrackingNumber, atMs: number,
): AuthorizationResponse {
  return {
    id,
    status: 'AUTHORIZED',
    status_message: 'The shipment is authorized.',
    tracking_number,
    authorization_information: {
      date: new Date(atMs).toISOString(),
      custom_data: { barcode: tracking_number },
    },
  };
}

function cancellation(command: CancelShipment, state: StoredAuthorization): ShipmentCancelled {
  return {
    type: 'ShipmentCancelled',
    client_id: command.client_id,
    transport_order_id: command.transport_order_id,
    shipment_id: command.shipment_id,
    epoch: (state.stage + 1) / 2,
    tracking_number: state.tracking_number,
    ...(command.reason === undefined ? {} : { reason: command.reason }),
    at_ms: command.at_ms,
  };
}

function refusal({ client_id, request, test, at_ms }: AuthorizeShipment): AuthorizationRefused {
  return {
    type: 'AuthorizationRefused',
    client_id,
    transport_order_id: request.transport_order_id,
    shipment_id: String(request.id),
    error_code: 'invalid_carrier_information.agency',
    test,
    at_ms,
  };
}

/** A fact moves a transport order only up: repeats and late arrivals change nothing. */
function evolve(state: AuthorizationState, event: AuthorizationEvent): AuthorizationState {
  if (event.type === 'AuthorizationRefused') return state;
  if (state !== undefined && stageOf(event) <= state.stage) return state;
  return movedTo(event);
}

function movedTo(event: AuthorizationMove): StoredAuthorization {
  return {
    stage: stageOf(event),
    shipment_id: event.shipment_id,
    tracking_number: event.tracking_number,
    answer: event.type === 'ShipmentAuthorized' ? event.answer : undefined,
    ...(event.type === 'ShipmentAuthorized' && event.contents !== undefined
      ? { contents: event.contents } : {}),
    is_claimed: false,
  };
}
