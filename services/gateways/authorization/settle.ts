import type {
  AuthorizationEvent, AuthorizationMarks, AuthorizationMove, AuthorizationRank,
  AuthorizationRefused, AuthorizationStates, StoredAuthorization,
} from '../../kernel/authorizations.ts';
import { rankOf } from '../../kernel/authorizations.ts';
import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Code } from '../../kernel/codes.ts';
import type { Digest } from '../../kernel/digest.ts';
import { Unavailable, isUnavailable } from '../../kernel/unavailable.ts';
import type { Call } from '../../kernel/http.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { PersonalSeals } from '../../kernel/personal.ts';
import type { RecordLog } from '../../kernel/record-log.ts';
import type { ShipmentStates } from '../../kernel/shipments.ts';
import {
  authorizationDecider, type AuthorizationCommand,
} from '../../domain/authorization/authorization.ts';
import { sealFact, subjectsOf } from '../../domain/authorization/sealed-facts.ts';
import { TOPICS } from '../../../schemas/generated/catalog.ts';

/** How long a caller that lost a race waits for the winner, and how often it looks, in ms. */
export interface SettleConfig {
  readonly raceWaitMsMax: number;
  readonly racePollMs: number;
}

/** What deciding about transport orders needs from outside. */
export interface AuthorizationPorts {
  readonly states: AuthorizationStates;
  readonly shipments: Pick<ShipmentStates, 'authorize'>;
  readonly personal: Pick<PersonalSeals, 'forWriting'>;
  /** SHA-256, from which tracking numbers are made. */
  readonly digest: Digest;
  readonly log: RecordLog;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly ids: Ids;
}

/** A fact of this rank is in the log, but what counts there is only known when it was applied. */
interface Recorded {
  readonly kind: 'recorded';
  readonly rank: AuthorizationRank;
}

/** What came of a command. */
export type Settled =
  | { readonly kind: 'moved'; readonly event: AuthorizationMove }
  | { readonly kind: 'unchanged'; readonly state: StoredAuthorization }
  | { readonly kind: 'refused_by_rule'; readonly event: AuthorizationRefused }
  | { readonly kind: 'refused'; readonly code: Code };

/** One command about one transport order; its marks may be those of a caller before. */
export interface Attempt {
  readonly clientId: string;
  readonly transportOrderId: string;
  readonly commandOn: (
    state: StoredAuthorization | undefined, marks: AuthorizationMarks | undefined,
  ) => AuthorizationCommand;
}

/**
 * Load, decide, claim, append, confirm. Repeats while somebody else decides about the same
 * transport order, at most `raceWaitMsMax`; then `Unavailable` `state_busy`. A cancellation denies
 * with its claim; an authorization is answered only when it is in the log and in the state store.
 * Whoever lost its claim on the way waits for what the log brings, which may be another's answer.
 */
export async function settle(
  config: SettleConfig, ports: AuthorizationPorts, call: Call, attempt: Attempt,
): Promise<Settled> {
  let until = Math.min(call.deadlineMs, ports.clock.nowMs() + config.raceWaitMsMax);
  const claimId = ports.ids.nonce();
  let recorded = 0;
  for (;;) {
    const state = await ports.states.load(attempt.clientId, attempt.transportOrderId);
    const rank = state?.rank ?? 0;
    if (state !== undefined && recorded > 0 && rank >= recorded && isCancelled(recorded)) {
      return { kind: 'unchanged', state };
    }
    const settled = rank < recorded
      ? undefined
      : await settleOn(ports, call, attempt, state, claimId);
    if (settled?.kind === 'recorded') {
      recorded = settled.rank;
      // It is in the log and will be applied: that is worth the rest of the call's time.
      until = call.deadlineMs;
    } else if (settled !== undefined) return settled;
    if (ports.clock.nowMs() >= until) {
      throw new Unavailable('state_busy', 'decide', 'the transport order is being decided about');
    }
    if (settled === undefined) await ports.pause(config.racePollMs);
  }
}

/** One round; undefined when somebody else was faster or is at it. */
async function settleOn(
  ports: AuthorizationPorts, call: Call, attempt: Attempt,
  state: StoredAuthorization | undefined, claimId: string,
): Promise<Settled | Recorded | undefined> {
  const command = attempt.commandOn(state, undefined);
  const decision = authorizationDecider.decide(command, state);
  if (decision.kind === 'happened') {
    const [event] = decision.events;
    if (event?.type === 'AuthorizationRefused') {
      await append(ports, call, event);
      return { kind: 'refused_by_rule', event };
    }
    return move(ports, call, attempt, state, claimId, movesOf(decision.events));
  }
  // A cancellation must not miss the authorization that is on its way at this moment.
  if (command.type === 'CancelShipment' && state?.is_claimed === true) return undefined;
  if (decision.kind === 'refused') return decision;
  return state === undefined ? undefined : { kind: 'unchanged', state };
}

async function move(
  ports: AuthorizationPorts, call: Call, attempt: Attempt,
  state: StoredAuthorization | undefined, claimId: string, moves: readonly AuthorizationMove[],
): Promise<Settled | Recorded | undefined> {
  const last = moves.at(-1);
  if (last === undefined) throw new Unavailable('internal', 'decide', 'a move without a fact');
  const marks = { at_ms: last.at_ms, test: last.type === 'ShipmentAuthorized' && last.test === true };
  // The claim of a cancellation keeps it in the state store, where nothing personal may lie open.
  const [cancellation] = last.type === 'ShipmentCancelled' ? await sealed(ports, call, [last]) : [];
  const claimed = await ports.states.claim({
    client_id: attempt.clientId,
    transport_order_id: attempt.transportOrderId,
    from: state?.rank ?? 0,
    to: rankOf(last),
    marks,
    ...(cancellation?.type === 'ShipmentCancelled' ? { cancellation } : {}),
  }, claimId);
  if (claimed.kind !== 'taken') return undefined;
  const decided = authorizationDecider.decide(attempt.commandOn(state, claimed.marks), state);
  const events = await sealed(
    ports, call, decided.kind === 'happened' ? movesOf(decided.events) : moves,
  );
  for (const event of events) await appendClaimed(ports, call, claimId, event);
  const event = events.at(-1) ?? last;
  await bindTrackingNumber(ports.shipments, event);
  const isOurs = await ports.states.confirm(event, claimId);
  return isOurs ? { kind: 'moved', event } : { kind: 'recorded', rank: rankOf(event) };
}

const isCancelled = (rank: AuthorizationRank): boolean => rank % 2 === 0;

/** Facts as they go into the log, what is personal sealed with the key of their shipment. */
async function sealed(
  { personal }: AuthorizationPorts, call: Call, moves: readonly AuthorizationMove[],
): Promise<readonly AuthorizationMove[]> {
  const keys = await personal.forWriting(moves.flatMap(subjectsOf), call.deadlineMs);
  return moves.map((event) => sealFact(keys, event));
}

/** The number belongs to its carrier before anybody can know it. */
async function bindTrackingNumber(
  shipments: AuthorizationPorts['shipments'], event: AuthorizationMove,
): Promise<void> {
  if (event.type !== 'ShipmentAuthorized' || event.carrier_client_id === undefined) return;
  await shipments.authorize(event.tracking_number, event.carrier_client_id);
}

function movesOf(events: readonly AuthorizationEvent[]): readonly AuthorizationMove[] {
  return events.filter((event): event is AuthorizationMove =>
    event.type !== 'AuthorizationRefused');
}

/** A fact that the log certainly did not take frees its claim; an unknown outcome keeps it. */
async function appendClaimed(
  ports: AuthorizationPorts, call: Call, claimId: string, event: AuthorizationMove,
): Promise<void> {
  try {
    await append(ports, call, event);
  } catch (error) {
    const certain = isUnavailable(error) && error.code !== 'log_timeout';
    if (certain) {
      await ports.states.release(event.client_id, event.transport_order_id, claimId);
    }
    throw error;
  }
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
