import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import type {
  AuthorizationEvent, AuthorizationMarks, AuthorizationMove, AuthorizationStage,
  AuthorizationRefused, AuthorizationStates, ShipmentAuthorized, StoredAuthorization,
} from '../../kernel/authorizations.ts';
import { stageOf } from '../../kernel/authorizations.ts';
import type { Code } from '../../kernel/codes.ts';
import type { Digest } from '../../kernel/digest.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import type { Call } from '../../kernel/http.ts';
import type { Fields } from '../../kernel/json-fields.ts';
import type { ClientId, Ids, TransportOrderId } from '../../kernel/ids.ts';
import { shipmentSubject, type PersonalSeals } from '../../kernel/personal.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import type { ShipmentStates } from '../../kernel/shipments.ts';
import {
  authorizationDecider, type AuthorizationCommand,
} from '../../domain/authorization/authorization.ts';
import { contentsOf } from '../../domain/authorization/contents.ts';
import { partiesOf } from '../../domain/authorization/parties.ts';
import { sealFact, subjectsOf } from '../../domain/authorization/sealed-facts.ts';
import {
  decideAndAppend, type Attempt, type RaceConfig, type RacePorts, type AttemptStep,
} from '../common/decide-and-append.ts';

/** What deciding about transport orders needs from outside. */
export interface AuthorizationPorts extends RacePorts {
  readonly states: AuthorizationStates;
  readonly shipments: Pick<ShipmentStates, 'authorize'>;
  readonly personal: Pick<PersonalSeals, 'forWriting'>;
  /** SHA-256. */
  readonly digest: Digest;
  /** Keyed hash, from which tracking numbers are made. */
  readonly numbers: Digest;
  readonly log: RecordLog;
  readonly ids: Ids;
}

/** The result of a command. */
export type OrderOutcome =
  | { readonly kind: 'moved'; readonly event: AuthorizationMove }
  | { readonly kind: 'unchanged'; readonly state: StoredAuthorization }
  | { readonly kind: 'refused_by_rule'; readonly event: AuthorizationRefused }
  | { readonly kind: 'refused'; readonly code: Code };

/** One command about one transport order; its marks may be those of a caller before. */
export interface OrderAttempt {
  readonly clientId: ClientId;
  readonly transportOrderId: TransportOrderId;
  readonly commandOn: (
    state: StoredAuthorization | undefined, marks: AuthorizationMarks | undefined,
  ) => AuthorizationCommand;
}

type State = StoredAuthorization | undefined;

/** Facts that move an order from a state. */
interface Moves {
  readonly from: State;
  readonly events: readonly AuthorizationMove[];
  readonly last: AuthorizationMove;
}

/**
 * Decides one command about a transport order; see {@link decideAndAppend}. A cancellation denies
 * with its claim; an authorization is answered only when it is in the log and in the state store.
 * A caller that lost its claim waits for the log, which may be another's answer.
 */
export function decideOnOrder(
  config: RaceConfig, ports: AuthorizationPorts, call: Call, order: OrderAttempt,
): Promise<OrderOutcome> {
  const claimId = ports.ids.nonce();
  /** The rank of what this call appended after its claim was lost; 0 before. */
  let appended: AuthorizationStage = 0;
  const attempt: Attempt<State, Moves, OrderOutcome> = {
    about: 'the transport order',
    load: () => ports.states.load(order.clientId, order.transportOrderId),
    decide(state) {
      const stage = state?.stage ?? 0;
      if (stage < appended) return { kind: 'busy' };
      if (state !== undefined && appended > 0 && isCancelled(appended)) {
        return { kind: 'done', outcome: { kind: 'unchanged', state } };
      }
      return decide(ports, call, order, state);
    },
    claim: (moves) => claim(ports, call, order, claimId, moves),
    async append({ events }) {
      for (const event of events) await append(ports, call, event);
    },
    async confirm({ last }) {
      await bindTrackingNumber(ports.shipments, last);
      const isOurs = await ports.states.confirm(last, claimId);
      if (isOurs) return { kind: 'done', outcome: { kind: 'moved', event: last } };
      appended = stageOf(last);
      // It is in the log and will be applied: that is worth the rest of the call's time.
      return { kind: 'lost', next: 'decide', isWorthWaiting: true };
    },
    release: () => ports.states.release(order.clientId, order.transportOrderId, claimId),
  };
  return decideAndAppend(config, ports, call.deadlineMs, attempt);
}

async function decide(
  ports: AuthorizationPorts, call: Call, order: OrderAttempt, state: State,
): Promise<AttemptStep<Moves, OrderOutcome>> {
  const command = order.commandOn(state, undefined);
  const decision = authorizationDecider.decide(command, state);
  if (decision.kind === 'happened') {
    const [event] = decision.events;
    if (event?.type !== 'AuthorizationRefused') {
      return { kind: 'go', fact: movesOf(state, decision.events) };
    }
    await append(ports, call, event);
    return { kind: 'done', outcome: { kind: 'refused_by_rule', event } };
  }
  // A cancellation must not miss an authorization that is in progress.
  if (command.type === 'CancelShipment' && state?.is_claimed === true) return { kind: 'busy' };
  if (decision.kind === 'refused') return { kind: 'done', outcome: decision };
  return state === undefined
    ? { kind: 'busy' }
    : { kind: 'done', outcome: { kind: 'unchanged', state } };
}

/** Claims the step and decides it again, with the marks that the claim gave. */
async function claim(
  ports: AuthorizationPorts, call: Call, order: OrderAttempt, claimId: string, moves: Moves,
): Promise<AttemptStep<Moves, OrderOutcome>> {
  const { from, last } = moves;
  const marks = {
    at_ms: last.at_ms, test: last.type === 'ShipmentAuthorized' && last.test === true,
    ...(last.type === 'ShipmentAuthorized' ? { tracking_number: last.tracking_number } : {}),
  };
  // The claim of a cancellation keeps it in the state store, where nothing personal may lie open.
  const [cancellation] = last.type === 'ShipmentCancelled'
    ? (await sealed(ports, call, movesOf(from, [last]))).events
    : [];
  const claimed = await ports.states.claim({
    client_id: order.clientId,
    transport_order_id: order.transportOrderId,
    from: from?.stage ?? 0,
    to: stageOf(last),
    marks,
    ...(cancellation?.type === 'ShipmentCancelled' ? { cancellation } : {}),
  }, claimId);
  if (claimed.kind !== 'taken') return { kind: 'busy' };
  const decided = authorizationDecider.decide(order.commandOn(from, claimed.marks), from);
  const again = decided.kind === 'happened' ? movesOf(from, decided.events) : moves;
  return { kind: 'go', fact: await sealed(ports, call, again) };
}

const isCancelled = (stage: AuthorizationStage): boolean => stage % 2 === 0;

/** Facts as they go into the log, what is personal sealed with the key of their shipment. */
async function sealed(
  { personal }: AuthorizationPorts, call: Call, { from, events }: Moves,
): Promise<Moves> {
  const subjects = events.flatMap((event) => (
    event.type === 'ShipmentAuthorized'
      ? [shipmentSubject(event.tracking_number)]
      : subjectsOf(event)
  ));
  const keys = await personal.forWriting(subjects, call.deadlineMs);
  return movesOf(from, events.map((event) => {
    const fact = sealFact(keys, event);
    if (event.type !== 'ShipmentAuthorized' || event.personal !== undefined) return fact;
    const contents = contentsOf(keys, event.tracking_number, requestOf(event));
    return contents === undefined ? fact : { ...fact, contents };
  }));
}

const requestOf = ({ request }: ShipmentAuthorized): AuthorizationRequest =>
  request as Fields & AuthorizationRequest;

/** The number belongs to its two sides before a caller can know it. */
async function bindTrackingNumber(
  shipments: AuthorizationPorts['shipments'], event: AuthorizationMove,
): Promise<void> {
  if (event.type !== 'ShipmentAuthorized') return;
  await shipments.authorize(event.tracking_number, partiesOf(event));
}

function movesOf(from: State, events: readonly AuthorizationEvent[]): Moves {
  const moves = events.filter((event): event is AuthorizationMove =>
    event.type !== 'AuthorizationRefused');
  const last = moves.at(-1);
  if (last === undefined) throw new Unavailable('internal', 'decide', 'a move without a fact');
  return { from, events: moves, last };
}

async function append(
  { log }: AuthorizationPorts, call: Call, event: AuthorizationEvent,
): Promise<void> {
  await log.append({
    topic: TOPICS.authorizations.name,
    key: event.transport_order_id,
    value: Buffer.from(JSON.stringify(event)),
    headers: { client: event.client_id, 'received-at': String(call.receivedAtMs) },
  }, call.deadlineMs);
}
