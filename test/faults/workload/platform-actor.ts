import { aRequest, aUser } from '../../support/authorization-facts.ts';
import type { Dice } from '../dice.ts';
import type { Caller, Ending } from './caller.ts';

/** What authorizes shipments and commands providers. */
export interface PlatformActor {
  readonly caller: Caller;
  /** Tokens of the audiences `authorizations` and `rtt`. */
  readonly authorizationToken: string;
  readonly commandToken: string;
  readonly dice: Dice;
  readonly unique: (prefix: string) => string;
  /** Name of a person that must be in no log. */
  readonly personalName: string;
  readonly providers: readonly string[];
  readonly stopping: AbortSignal;
  readonly pace: () => Promise<void>;
  /** Called with every tracking number that was given out. */
  readonly authorized: (trackingNumber: string) => void;
}

const SHIPMENT_ID_FIRST = 41_000_000_000;

/** Authorizes, often twice at once, cancels some, and authorizes those again. */
export async function authorizeShipments(actor: PlatformActor): Promise<void> {
  const { dice, stopping, unique } = actor;
  while (!stopping.aborted) {
    const order = unique('order');
    const shipmentId = shipmentIdOf(dice);
    const rounds = dice.chance(0.3) ? 2 : 1;
    for (let round = 1; round <= rounds && !stopping.aborted; round += 1) {
      const body = requestOf(actor, shipmentId, order);
      const endings = await Promise.all(
        (dice.chance(0.5) ? [0, 1] : [dice.between(0, 1)])
          .map((gateway) => authorize(actor, shipmentId, order, body, gateway)),
      );
      const number = endings.find(({ outcome }) => outcome === 'ok')?.body['tracking_number'];
      if (typeof number !== 'string') break;
      if (round < rounds) await cancel(actor, shipmentId, order, number);
      else actor.authorized(number);
      await actor.pace();
    }
  }
}

/** Where the racers about one transport order call, by the places of the gateways. */
const RACERS = [0, 1, 0, 1];

/** Authorizes one transport order after the other, each by several callers at once. */
export async function raceAuthorizations(actor: PlatformActor): Promise<void> {
  const { dice, stopping, unique } = actor;
  while (!stopping.aborted) {
    const order = unique('raced-order');
    const shipmentId = shipmentIdOf(dice);
    const body = requestOf(actor, shipmentId, order);
    await Promise.all(
      RACERS.map((gateway) => authorize(actor, shipmentId, order, body, gateway)),
    );
    await actor.pace();
  }
}

/** Commands of one transport after the other, all of a transport in their order. */
export async function commandTransports(actor: PlatformActor, firstId: number): Promise<void> {
  const { dice, stopping, unique } = actor;
  for (let id = firstId; !stopping.aborted; id += 1) {
    const provider = dice.pick(actor.providers);
    const rounds = dice.between(1, 3);
    for (let round = 0; round < rounds && !stopping.aborted; round += 1) {
      await command(actor, provider, id, 'start_tracking');
      if (dice.chance(0.6)) {
        await command(actor, provider, id, 'process_telemetry_events', {
          id: Buffer.from(unique('request')).toString('base64'),
          travel: { init_date: '2026-11-20T08:00:00Z', end_date: '2026-11-20T20:00:00Z' },
        });
      }
      await command(actor, provider, id, 'stop_tracking');
      await actor.pace();
    }
  }
}

const shipmentIdOf = (dice: Dice): number => SHIPMENT_ID_FIRST + dice.between(0, 999_999_999);

function requestOf(
  { personalName }: PlatformActor, id: number, transport_order_id: string,
): Readonly<Record<string, unknown>> {
  const receiver = aUser({ full_name: personalName, phone: { number: '5511999990000' } });
  const request = aRequest({ id, transport_order_id });
  return {
    ...request,
    shipment_information: { ...request.shipment_information, receiver },
  };
}

function authorize(
  { caller, authorizationToken }: PlatformActor, shipmentId: number, transport_order_id: string,
  body: Readonly<Record<string, unknown>>, gateway: number,
): Promise<Ending> {
  return caller.call({
    op: 'authorize', token: authorizationToken, gateway, body,
    path: `/shipments/${shipmentId}/authorization`,
    args: { shipment_id: String(shipmentId), transport_order_id },
  });
}

function cancel(
  { caller, authorizationToken }: PlatformActor, shipmentId: number, transport_order_id: string,
  tracking_number: string,
): Promise<Ending> {
  return caller.call({
    op: 'cancel', token: authorizationToken, path: `/shipments/${shipmentId}/cancellation`,
    body: { id: shipmentId, transport_order_id, reason: 'changed' },
    args: { shipment_id: String(shipmentId), transport_order_id, tracking_number },
  });
}

/**
 * The plate of a command is unique, so that the provider's record distinguishes commands. All tries
 * of a call have one key: a repeat after a lost answer must be the same command.
 */
function command(
  { caller, commandToken, unique }: PlatformActor, provider: string, transport_id: number,
  name: string, more: Readonly<Record<string, unknown>> = {},
): Promise<Ending> {
  const plate = unique('plate');
  return caller.call({
    op: 'command', token: commandToken,
    path: `/platform/providers/${provider}/commands?country_id=BR`,
    headers: { 'idempotency-key': plate },
    body: {
      command: name, transport: { id: transport_id, license_plate: plate, country_id: 'BR' },
      ...more,
    },
    args: { provider, transport_id, command: name, command_mark: plate },
  });
}
