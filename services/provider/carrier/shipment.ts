import type { AuthorizationResponse, Notification } from '../../../schemas/generated/types.ts';
import { parseAnswer } from '../client/answer.ts';
import type { Deliver } from '../client/deliver.ts';
import type { Requests } from '../client/requests.ts';
import { authorizationIdentity, notificationIdentity } from '../ledger/identities.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { WaitingClock } from '../ports.ts';
import { authorizationRequest, cancellationRequest, type ShipmentNames } from './authorization.ts';
import type { Journey } from './journeys.ts';
import { planCancelled, planShipment, type PlannedNotification } from './plan.ts';

/** One shipment from its authorization on. */
export interface ShipmentUnit extends ShipmentNames {
  /** Counts the shipments of a run from 0; decides what is special about this one. */
  readonly number: number;
  readonly journey: Journey;
  /** Time on the wall from one push to the next. */
  readonly stepMs: number;
}

/** What a shipment needs; `halt` ends the waiting and `abandon` also the repeats. */
export interface CarrierShipmentPorts {
  readonly authorize: Deliver;
  readonly notify: Deliver;
  readonly requests: Requests;
  readonly ledger: Pick<Ledger, 'beginItems' | 'end'>;
  readonly clock: WaitingClock;
  readonly halt: AbortSignal;
  readonly abandon: AbortSignal;
}

/** Of so many shipments one is cancelled for good, and one is cancelled and authorized again. */
const SPECIAL_EVERY = 8;
const CANCELLED = 3;
const AUTHORIZED_AGAIN = 7;

/**
 * Authorizes a shipment, cancels a few, and pushes what happens to each until its final code. What
 * was begun is finished after `halt` too, only without waiting. True when all of it was
 * accepted.
 */
export async function runShipment(
  unit: ShipmentUnit, ports: CarrierShipmentPorts,
): Promise<boolean> {
  const kind = unit.number % SPECIAL_EVERY;
  let trackingNumber = await authorize(unit, 1, ports);
  if (trackingNumber === undefined) return false;
  if (kind === CANCELLED || kind === AUTHORIZED_AGAIN) {
    await ports.clock.wait(unit.stepMs, ports.halt);
    if (!await cancel(unit, 1, ports)) return false;
  }
  if (kind === AUTHORIZED_AGAIN) trackingNumber = await authorize(unit, 2, ports);
  if (trackingNumber === undefined) return false;
  const endMs = ports.clock.nowMs();
  const plan = kind === CANCELLED
    ? planCancelled(endMs)
    : planShipment(unit.journey, unit.number, endMs);
  for (const call of plan) {
    await ports.clock.wait(unit.stepMs, ports.halt);
    if (!await push(trackingNumber, call, ports)) return false;
  }
  return true;
}

/** The tracking number, or undefined when the platform refused or never answered. */
async function authorize(
  unit: ShipmentUnit, epoch: number, ports: CarrierShipmentPorts,
): Promise<string | undefined> {
  const { transport_order_id } = unit;
  const status = 'authorized';
  const post = ports.ledger.beginItems('authorizations', [
    authorizationIdentity(transport_order_id, epoch, status),
  ]);
  const request = ports.requests.authorize(authorizationRequest(unit, unit.journey));
  const delivery = await ports.authorize(request, ports.abandon);
  const { reply, outcome } = delivery;
  const answer = reply.kind === 'answer' && outcome === 'accepted'
    ? parseAnswer<AuthorizationResponse>(reply.body)
    : undefined;
  const number = answer?.tracking_number;
  ports.ledger.end(post, delivery, number === undefined
    ? undefined
    : [authorizationIdentity(transport_order_id, epoch, status, number)]);
  return number;
}

async function cancel(
  unit: ShipmentUnit, epoch: number, ports: CarrierShipmentPorts,
): Promise<boolean> {
  const post = ports.ledger.beginItems('authorizations', [
    authorizationIdentity(unit.transport_order_id, epoch, 'cancelled'),
  ]);
  const delivery = await ports.authorize(
    ports.requests.cancel(cancellationRequest(unit)), ports.abandon,
  );
  ports.ledger.end(post, delivery);
  return delivery.outcome === 'accepted';
}

async function push(
  tracking_number: string, call: readonly PlannedNotification[], ports: CarrierShipmentPorts,
): Promise<boolean> {
  const post = ports.ledger.beginItems('notifications', call.map(({ notification, outcome }) => {
    const { code, carrier_code, payload } = notification;
    const occurred_ms = Date.parse(payload.date);
    return notificationIdentity(tracking_number, { code, carrier_code, occurred_ms, outcome });
  }));
  const bodies = call.map(({ notification }): Notification => (
    { tracking_number, ...notification }
  ));
  const delivery = await ports.notify(ports.requests.notify(bodies), ports.abandon);
  ports.ledger.end(post, delivery);
  return delivery.outcome === 'accepted';
}
