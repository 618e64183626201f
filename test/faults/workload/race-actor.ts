import type { Ending } from './caller.ts';
import { move, register, type DeviceActor } from './device-actor.ts';
import { sendLocations } from './posts.ts';

/** What lets callers race: as for one device, but each round has an entity of its own. */
export type RaceActor = Omit<DeviceActor, 'entityId'> & {
  readonly entityOf: (round: number) => string;
};

/** Where the racers of one step call, by the places of the gateways. */
const RACERS = [0, 1, 0, 1];

/**
 * Registers, starts and stops one thing after the other, each step by several callers at once, and
 * then sends what must be refused.
 */
export async function raceDevices(actor: RaceActor): Promise<void> {
  const { poster, transportId, stopping, pace, entityOf } = actor;
  for (let round = 0; !stopping.aborted; round += 1) {
    const entityId = entityOf(round);
    const registered = await atOnce((gateway) =>
      register({ poster, entityId, transportId }, gateway));
    const id = registered?.body['id'];
    if (typeof id !== 'string') return;
    await pace();
    await atOnce((gateway) => move(actor, 'start', id, gateway));
    await pace();
    await atOnce((gateway) => move(actor, 'stop', id, gateway));
    await atOnce((gateway) => sendLocations(poster, id, { meant_to_fail: true }, gateway));
    await pace();
  }
}

async function atOnce(call: (gateway: number) => Promise<Ending>): Promise<Ending | undefined> {
  const endings = await Promise.all(RACERS.map(call));
  return endings.find(({ outcome }) => outcome === 'ok');
}
