import type { Notification, NotificationPayload } from '../../../schemas/generated/types.ts';
import type { Journey, JourneyEvent } from './journeys.ts';

/** A notification of a plan, with the outcome that the platform must give it. */
export interface PlannedNotification {
  readonly notification: Omit<Notification, 'tracking_number'>;
  readonly outcome: 'applied' | 'duplicate' | 'out_of_order' | 'ignored_after_final';
}

/** What is pushed about one shipment, call by call. */
export type ShipmentPlan = readonly (readonly PlannedNotification[])[];

/** Meanings of the carrier's codes, by `schemas/data/notification-codes.sample.json`. */
const CODES: Readonly<Record<string, string>> = {
  OC: 'EX-CREATED', PU: 'EX-COLLECTED', IP: 'EX-COLLECTED', AR: 'EX-HUB', DP: 'EX-HUB',
  IT: 'EX-HUB', OD: 'EX-ON-ROUTE', SE: 'EX-FAILED', DL: 'EX-DELIVERED',
};
const DELIVERED = 'EX-DELIVERED';
const HOUR_MS = 3_600_000;

/** A picture of one white pixel: proof that images travel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJg'
  + 'gg==';

/**
 * Everything that is pushed about the `number`th shipment: its recorded journey, moved so that it
 * ends at `endMs`, to a final code (one that was not delivered goes back, which is made up). The
 * first two events go in one call; each shipment has a repeat, every second one an event pushed
 * after a later one, and every fourth one an event pushed after the end (interface, 4, decisions).
 */
export function planShipment(journey: Journey, number: number, endMs: number): ShipmentPlan {
  const shiftMs = endMs - Math.max(...journey.map(({ at_ms }) => at_ms));
  const notifications = journey.map((event) => notificationOf(event, event.at_ms + shiftMs));
  if (notifications.at(-1)?.code !== DELIVERED) {
    notifications.push({
      code: 'EX-RETURNED', carrier_code: 'RS', payload: { date: dateOf(endMs + HOUR_MS) },
    });
  }
  if (number % 2 === 0) swapLate(notifications);
  const planned = withOutcomes(notifications);
  const [first, second, ...rest] = planned;
  if (first === undefined || second === undefined) return [planned];
  const repeat: PlannedNotification = { ...second, outcome: 'duplicate' };
  const calls = [[first, second], [repeat], ...rest.map((each) => [each])];
  if (number % 4 !== 0) return calls;
  const late = {
    code: 'EX-HUB', carrier_code: 'AR', payload: { date: dateOf(endMs + 2 * HOUR_MS) },
  };
  return [...calls, [{ notification: late, outcome: 'ignored_after_final' }]];
}

/** What is pushed about a shipment that was cancelled. */
export function planCancelled(endMs: number): ShipmentPlan {
  const codes = [['EX-CREATED', 'OC', endMs - HOUR_MS], ['EX-CANCELLED', 'CA', endMs]] as const;
  return codes.map(([code, carrier_code, at]) => [{
    notification: { code, carrier_code, payload: { date: dateOf(at) } }, outcome: 'applied',
  }]);
}

function notificationOf(event: JourneyEvent, atMs: number): Omit<Notification, 'tracking_number'> {
  const code = CODES[event.carrier_code] ?? event.carrier_code;
  const { city, state, country_id } = event;
  const payload: NotificationPayload = {
    date: dateOf(atMs),
    comment: event.reason ?? event.description,
    location: {
      country_id,
      ...(city === undefined ? {} : { city_name: city }),
      ...(state === undefined ? {} : { state_name: state }),
    },
  };
  if (code === DELIVERED) {
    payload.proof_of_delivery = {
      receiver_document: { type: 'OTHER', number: '00000000' }, image: PIXEL,
    };
  }
  return { code, carrier_code: event.carrier_code, payload };
}

/** Swaps the third last event with the one that follows it; neither is the last. */
function swapLate(notifications: Omit<Notification, 'tracking_number'>[]): void {
  const at = notifications.length - 3;
  const [late] = notifications.splice(at, 1);
  if (late !== undefined) notifications.splice(at + 1, 0, late);
}

/** Older than the last applied one is out of order, unless its code is final. */
function withOutcomes(
  notifications: readonly Omit<Notification, 'tracking_number'>[],
): readonly PlannedNotification[] {
  let appliedMs = -Infinity;
  return notifications.map((notification, at) => {
    const atMs = Date.parse(notification.payload.date);
    const isLate = atMs < appliedMs && at < notifications.length - 1;
    if (!isLate) appliedMs = atMs;
    return { notification, outcome: isLate ? 'out_of_order' : 'applied' };
  });
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}
