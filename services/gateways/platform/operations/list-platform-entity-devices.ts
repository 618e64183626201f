import type { PlatformDevices } from '../../../../schemas/generated/types.ts';
import type { DeviceDirectory, ListedDevice } from '../../../kernel/devices.ts';
import type { Answer, Operation } from '../../../kernel/http.ts';
import type { ClientId } from '../../../kernel/ids.ts';
import { SHARDS } from '../../../kernel/limits.ts';
import { deviceSubject, type PersonalKeyStates } from '../../../kernel/personal.ts';
import { shardOf } from '../../../kernel/shards.ts';
import { defineOperation, type CallOf } from '../../common/catalog.ts';
import { readEntityQuery, writeEntityCursor } from '../../common/entity-query.ts';
import { badCursor } from '../../common/page.ts';
import { problemErrors } from '../../common/problem.ts';
import { readEntities, type EntityCursor, type EntityPorts } from '../../common/read-entities.ts';
import { platformDevice } from '../device-resource.ts';

/** What it needs from outside. */
export interface ListPlatformEntityDevicesPorts extends EntityPorts {
  readonly directory: Pick<DeviceDirectory, 'clientsOf'>;
  readonly personalKeys: Pick<PersonalKeyStates, 'find'>;
}

/** Most clients of one page. */
const CLIENTS_MAX = 256;
const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard);

/** `GET /platform/devices`: devices of an entity by its name, of all clients, by pages. */
export function listPlatformEntityDevices(ports: ListPlatformEntityDevicesPorts): Operation {
  return defineOperation('list-platform-entity-devices', {
    errors: problemErrors,
    handle: (call) => handle(ports, call),
  });
}

async function handle(
  ports: ListPlatformEntityDevicesPorts, { query }: CallOf<'list-platform-entity-devices'>,
): Promise<Answer> {
  const asked = readEntityQuery(query);
  if (asked.kind === 'refused') return asked.answer;
  const { question, after } = asked;
  const behind = await clientsBehind(ports.directory, after?.clientId);
  // Generation 0 means that nothing of that client is left to show.
  const within = after === undefined || after.generation === 0 ? undefined : after;
  const clients = [...within === undefined ? [] : [within.clientId], ...behind.clients];
  const page = await readEntities(ports, { ...question, clients }, within);
  if (page === undefined) return badCursor();
  const next = page.next ?? endOf(behind);
  const body: PlatformDevices = {
    devices: (await withName(ports, page.devices)).map(platformDevice),
    ...(next === undefined ? {} : { next_cursor: writeEntityCursor(next) }),
    has_more: next !== undefined,
  };
  return { kind: 'answer', status: 200, body };
}

interface ClientPage {
  readonly clients: readonly ClientId[];
  readonly hasMore: boolean;
}

/** Clients that have registered a device, shard by shard, behind one of them. */
async function clientsBehind(
  directory: Pick<DeviceDirectory, 'clientsOf'>, after: ClientId | undefined,
): Promise<ClientPage> {
  const first = after === undefined ? 0 : shardOf(after);
  const found = await Promise.all(SHARD_NUMBERS.slice(first).map((shard) => (
    directory.clientsOf(shard, shard === first ? after : undefined, CLIENTS_MAX + 1)
  )));
  const all = found.flat();
  return { clients: all.slice(0, CLIENTS_MAX), hasMore: all.length > CLIENTS_MAX };
}

function endOf({ clients, hasMore }: ClientPage): EntityCursor | undefined {
  const last = clients.at(-1);
  return hasMore && last !== undefined
    ? { clientId: last, generation: 0, deviceId: '' } : undefined;
}

/** Without those whose name was erased: for the platform no name leads to them any more. */
async function withName(
  { personalKeys }: ListPlatformEntityDevicesPorts, devices: readonly ListedDevice[],
): Promise<readonly ListedDevice[]> {
  if (devices.length === 0) return [];
  const states = await personalKeys.find(devices.map(({ device_id }) => deviceSubject(device_id)));
  return devices.filter((_, at) => states[at]?.kind !== 'erased');
}
