import type { Dice } from '../dice.ts';
import type { Caller, Ending } from './caller.ts';
import { sendEvents, sendLocations, type Poster } from './posts.ts';

/** What drives one device: who posts, and when to end. */
export interface DeviceActor {
  readonly poster: Poster;
  readonly entityId: string;
  readonly transportId: number;
  readonly stopping: AbortSignal;
  readonly pace: () => Promise<void>;
}

const ENTITY_TYPE = 'truck';
const COUNTRY = '?country_id=BR';
const POSTS_MIN = 4;
const POSTS_MAX = 14;

/**
 * Lives one device after the other on one entity: register, start, data, stop, and then data that
 * must be refused. Now and then two calls at once do the same on both gateways.
 */
export async function driveDevice(actor: DeviceActor): Promise<void> {
  const { poster, stopping } = actor;
  const { dice } = poster;
  while (!stopping.aborted) {
    const registered = await maybeTwice(dice, (gateway) => register(actor, gateway));
    const id = registered?.body['id'];
    if (typeof id !== 'string') return actor.pace();
    if (dice.chance(0.2)) await sendLocations(poster, id, { meant_to_fail: true });
    const started = await maybeTwice(dice, (gateway) => move(actor, 'start', id, gateway));
    if (started === undefined) return;
    await sendAWhile(actor, id);
    await stopWhileSending(actor, id);
    for (const gateway of [0, 1]) {
      await sendLocations(poster, id, { meant_to_fail: true }, gateway);
    }
  }
}

async function sendAWhile({ poster, stopping, pace }: DeviceActor, id: string): Promise<void> {
  const { dice } = poster;
  const posts = dice.between(POSTS_MIN, POSTS_MAX);
  for (let post = 0; post < posts && !stopping.aborted; post += 1) {
    if (dice.chance(0.25)) await sendEvents(poster, id);
    else await sendLocations(poster, id);
    await pace();
  }
}

/** Either answer to data that is in flight while the device is stopped is right. */
async function stopWhileSending(actor: DeviceActor, id: string): Promise<void> {
  const racing = actor.poster.dice.chance(0.3)
    ? sendLocations(actor.poster, id)
    : undefined;
  await maybeTwice(actor.poster.dice, (gateway) => move(actor, 'stop', id, gateway));
  await racing;
}

/** Once, or on both gateways at the same time; answers an ending that is a success. */
async function maybeTwice(
  dice: Dice, call: (gateway: number) => Promise<Ending>,
): Promise<Ending | undefined> {
  const endings = dice.chance(0.25)
    ? await Promise.all([call(0), call(1)])
    : [await call(dice.between(0, 1))];
  return endings.find(({ outcome }) => outcome === 'ok');
}

/** Registers the entity of an actor. */
export function register(
  { poster, entityId, transportId }: Pick<DeviceActor, 'poster' | 'entityId' | 'transportId'>,
  gateway: number,
): Promise<Ending> {
  return poster.caller.call({
    op: 'register', token: poster.token, path: `/shipping/rtt/devices${COUNTRY}`, gateway,
    body: {
      external_entity: { entity_id: entityId, entity_type: ENTITY_TYPE },
      transport: { id: transportId },
      device_specs: { device_type: 'GPS', brand: 'Acme', model: 'M1', equipment_id: 'E1' },
    },
    args: {
      entity_id: entityId, entity_type: ENTITY_TYPE, transport_id: transportId,
      provider: poster.provider,
    },
  });
}

/** Starts or stops a device. */
export function move(
  { poster }: Pick<DeviceActor, 'poster'>, verb: 'start' | 'stop', device_id: string, gateway: number,
): Promise<Ending> {
  return poster.caller.call({
    op: verb, token: poster.token, gateway, body: undefined,
    path: `/shipping/rtt/devices/${device_id}/${verb}_tracking${COUNTRY}`,
    args: { device_id, provider: poster.provider },
  });
}

/** Tries what belongs to another: a device of another client. */
export function driveForeign(
  { caller, token, provider }: { caller: Caller; token: string; provider: string },
  device_id: string,
): Promise<Ending> {
  return caller.call({
    op: 'stop', token, body: undefined,
    path: `/shipping/rtt/devices/${device_id}/stop_tracking${COUNTRY}`,
    args: { device_id, provider, meant_to_fail: true },
  });
}
