import { deviceIdOf, entityHashOf } from '../../domain/device/device-id.ts';
import type { ListedDevice } from '../../kernel/devices.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { EntityDirectory, HashedEntity, OwnedDevice } from '../../kernel/entities.ts';
import type { ClientId, DeviceId, ExternalEntityId } from '../../kernel/ids.ts';

/** What finding devices by a name needs. */
export interface EntityPorts {
  readonly entities: EntityDirectory;
  /** A hash under the pepper. */
  readonly keyed: Digest;
}

/** Which devices are wanted: those that clients registered under a name. */
export interface EntityQuestion {
  readonly clients: readonly ClientId[];
  readonly entityId: ExternalEntityId;
  /** Without it every type that is kept of a client is tried. */
  readonly entityType: string | undefined;
  readonly limit: number;
}

/** Where a page ended: at a registration of an entity of a client. */
export interface EntityCursor extends OwnedDevice {
  readonly generation: number;
}

/** One page; it may be short where devices are gone, and yet not be the last. */
export interface EntityPage {
  readonly devices: readonly ListedDevice[];
  readonly next: EntityCursor | undefined;
}

interface FoundEntity extends HashedEntity {
  readonly newest: { readonly generation: number; readonly device_id: DeviceId };
}

/**
 * Reads devices by the name of their entity: client by client, type by type, the newest
 * registration first. Undefined for a cursor that is none of these.
 */
export async function readEntities(
  ports: EntityPorts, question: EntityQuestion, after: EntityCursor | undefined,
): Promise<EntityPage | undefined> {
  const found = await findEntities(ports, question);
  const first = after === undefined
    ? 0 : found.findIndex((entity) => isAt(ports.keyed, entity, after));
  if (first < 0) return undefined;
  const wanted = registrationsFrom(ports.keyed, found.slice(first), after?.generation)
    .take(question.limit + 1).toArray();
  const shown = wanted.slice(0, question.limit);
  return {
    devices: await ports.entities.devices(shown),
    next: wanted.length > shown.length ? shown.at(-1) : undefined,
  };
}

/** The entities of that name that were ever registered. */
async function findEntities(
  { entities, keyed }: EntityPorts, { clients, entityId, entityType }: EntityQuestion,
): Promise<readonly FoundEntity[]> {
  const types = entityType === undefined
    ? await entities.typesOf(clients) : clients.map(() => [entityType]);
  const hashed = clients.flatMap((clientId, at) => (types[at] ?? []).map((each) => ({
    clientId, entityHash: entityHashOf(keyed, { clientId, entityType: each, entityId }),
  })));
  const newest = await entities.newest(hashed);
  return hashed.flatMap((entity, at) => {
    const pointer = newest[at];
    return pointer === undefined ? [] : [{ ...entity, newest: pointer }];
  });
}

/** Registrations, the newest of each entity first; of the first entity those below a generation. */
function* registrationsFrom(
  keyed: Digest, found: readonly FoundEntity[], below: number | undefined,
): Generator<EntityCursor, void> {
  for (const [at, entity] of found.entries()) {
    const { generation: newest } = entity.newest;
    const first = at === 0 && below !== undefined ? below - 1 : newest;
    for (let each = first; each > 0; each -= 1) yield registrationOf(keyed, entity, each);
  }
}

/** The device of a generation: ids of earlier ones are made from the same hash (ADR 0015). */
function registrationOf(
  keyed: Digest, { clientId, entityHash, newest }: FoundEntity, generation: number,
): EntityCursor {
  const deviceId = generation === newest.generation
    ? newest.device_id : deviceIdOf(keyed, entityHash, generation);
  return { clientId, generation, deviceId };
}

function isAt(keyed: Digest, entity: FoundEntity, after: EntityCursor): boolean {
  return entity.clientId === after.clientId && after.generation <= entity.newest.generation
    && registrationOf(keyed, entity, after.generation).deviceId === after.deviceId;
}
