import { status, textAt } from './findings.ts';
import type { Session } from './session.ts';
import type { Ask, KitReply } from './talk.ts';

/** Endpoint 6 with a body of its own; `entity` keeps the entity of an earlier one. */
export function registerAsk(session: Session, entity = anEntity(session)): Ask {
  return rttAsk(session, '/shipping/rtt/devices', {
    external_entity: entity,
    transport: { id: session.uniqueNumber() },
    device_specs: { device_type: 'GPS', brand: 'kit', model: 'c1', equipment_id: 'eq-1' },
  });
}

/** An entity that was never registered. */
export function anEntity(session: Session): { entity_id: string; entity_type: string } {
  return { entity_id: session.unique('unit'), entity_type: 'conformance-unit' };
}

/** Endpoints 7 and 8. */
export function moveAsk(session: Session, move: 'start' | 'stop', device_id: string): Ask {
  return rttAsk(session, `/shipping/rtt/devices/${device_id}/${move}_tracking`);
}

/** Endpoints 7 and 8 by external entity (decisions). */
export function moveByEntityAsk(
  session: Session, move: 'start' | 'stop', entity: { entity_id: string; entity_type: string },
): Ask {
  const ask = rttAsk(session, `/shipping/rtt/devices/${move}_tracking`);
  return {
    ...ask,
    query: {
      ...ask.query,
      external_entity_id: entity.entity_id, external_entity_type: entity.entity_type,
    },
  };
}

/** Where endpoints 9 to 12 are, below the name of the provider. */
export const RECEIVER_PATHS = {
  locations: (provider: string) => `/shipping/rtt/georeceiver/${provider}/locations`,
  events: (provider: string) => `/shipping/rtt/georeceiver/${provider}/telemetry/events`,
  deferred: (provider: string) => `/shipping/rtt/georeceiver/${provider}/telemetry/events/deferred`,
  deliveries: (provider: string) => `/shipping/rtt/georeceiver/proximity/${provider}/locations`,
} as const;

/** One of endpoints 9 to 12. */
export function dataAsk(session: Session, kind: keyof typeof RECEIVER_PATHS, json: unknown): Ask {
  return rttAsk(session, RECEIVER_PATHS[kind](session.setup.provider), json);
}

/** An RTT call: audience, and the country in the query. */
export function rttAsk(session: Session, path: string, json?: unknown): Ask {
  return { path, query: { country_id: session.setup.country }, audience: 'rtt', json };
}

/** Registers a device of its own and gives its id; throws when it is not a 201. */
export async function registeredDevice(session: Session, entity = anEntity(session)):
Promise<string> {
  return textAt(need(await session.send(registerAsk(session, entity)), 201), '/id');
}

/** A device that may send. */
export async function startedDevice(session: Session): Promise<string> {
  const id = await registeredDevice(session);
  need(await session.send(moveAsk(session, 'start', id)), 200);
  return id;
}

/** A device that may not send any more. */
export async function stoppedDevice(session: Session): Promise<string> {
  const id = await startedDevice(session);
  need(await session.send(moveAsk(session, 'stop', id)), 200);
  return id;
}

/** The reply, when it has the status that the check needs; else throws the sentence. */
export function need(reply: KitReply, wanted: number): KitReply {
  const wrong = status(reply, wanted);
  if (wrong !== undefined) throw new Error(wrong);
  return reply;
}
