import { move, register, type DeviceActor } from './device-actor.ts';
import { sendLocations } from './posts.ts';

/** What parks devices: who posts, their names, and when to end. */
export interface ParkingActor extends Omit<DeviceActor, 'entityId' | 'transportId'> {
  readonly entityOf: (nth: number) => string;
  /** Of the first; each has the next one. */
  readonly firstTransport: number;
}

const PARKED_MAX = 40;
const POSTS_MAX = 3;

/**
 * Brings one device after the other somewhere and leaves it there, never stopped and silent from
 * then on: what a map leaves out of these nothing that comes later mends.
 */
export async function parkDevices(actor: ParkingActor): Promise<void> {
  const { poster, stopping, pace, entityOf, firstTransport } = actor;
  for (let nth = 0; nth < PARKED_MAX && !stopping.aborted; nth += 1) {
    const gateway = poster.dice.between(0, 1);
    const { body: { id } } = await register({
      poster, entityId: entityOf(nth), transportId: firstTransport + nth,
    }, gateway);
    if (typeof id !== 'string') return;
    await move(actor, 'start', id, gateway);
    const posts = poster.dice.between(1, POSTS_MAX);
    for (let post = 0; post < posts; post += 1) {
      await sendLocations(poster, id);
      await pace();
    }
  }
}
