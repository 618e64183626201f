import { projectDevices } from '../../support/entity-edge.ts';
import { aClient, anOffer, aRegistration, placed, startOf } from '../../support/state-facts.ts';
import type { WholeEdge } from '../../support/whole-edge.ts';

/** Registers the device of the examples for the caller; gives its id. */
export async function deviceId(at: WholeEdge): Promise<string> {
  at.admit('register-device');
  const { id } = await (await at.call('register-device')).json() as { id: string };
  return id;
}

/** A device of the transport of the examples, with a fix in the box of the examples. */
export async function ofTransport(at: WholeEdge): Promise<string> {
  const client = aClient();
  const device = aRegistration(client, { transport_id: 987_654 });
  await at.states.access.applyClient(client);
  await at.states.devices.apply(placed([device, startOf(device)]));
  await at.states.lastFixes.offer([anOffer({
    client_id: client.client_id, device_id: device.device_id,
    latitude: -23.55, longitude: -46.65,
  })]);
  return device.device_id;
}

/** The device of the examples, once the projector has it, asked for by its owner's name of it. */
export async function byItsName(at: WholeEdge, id: string): Promise<Response> {
  await deviceId(at);
  await projectDevices(at);
  at.admit(id);
  return at.call(id);
}
