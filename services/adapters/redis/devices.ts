import type {
  ClaimAnswer, DeviceEvent, DeviceRegistered, DeviceStates, EntityPointer,
} from '../../kernel/devices.ts';
import type { RecordId } from '../../kernel/record-id.ts';
import type { RedisConfig } from './config.ts';
import { entityNameOf, factArgs, toStoredDevice } from './device-hash.ts';
import { entityDigest, keys, tagOfClient } from './keys.ts';
import type { RunScript } from './script-runner.ts';
import { callsOf, type Placed } from './shards.ts';
import { toFields } from './texts.ts';

interface PlacedFact {
  readonly event: DeviceEvent;
  /** Where the log has it; of a fact that is confirmed, its claim. */
  readonly from: RecordId | string;
}

/** Devices and entities as hashes, and claims on them; see README.md for fields and rules. */
export function createDeviceStates(config: RedisConfig, runScript: RunScript): DeviceStates {
  async function merge(facts: readonly PlacedFact[], marked: boolean): Promise<number> {
    let held = 0;
    const placed = facts.map((item): Placed<PlacedFact> => (
      { tag: tagOfClient(item.event.client_id), item }
    ));
    for (const call of callsOf(placed, config.applyBatchMax, config.cluster)) {
      held += Number(await runScript(
        'apply-devices',
        call.map(({ tag, item }) => keys.device(tag, item.event.device_id)),
        [marked ? 1 : 0, ...call.flatMap(({ item }) => mergeArgs(item))],
      ));
    }
    return held;
  }

  async function read(tag: string, key: string): Promise<ReadonlyMap<string, string> | undefined> {
    return toFields(await runScript('read', [keys.ready(tag), key], []));
  }

  return {
    async load(clientId, deviceId) {
      const tag = tagOfClient(clientId);
      const fields = await read(tag, keys.device(tag, deviceId));
      return fields?.get('owner') === clientId ? toStoredDevice(deviceId, fields) : undefined;
    },

    async loadEntity(clientId, { entity_type, entity_id, entity_hash }) {
      const tag = tagOfClient(clientId);
      const names = [entity_hash, entityDigest(entity_type, entity_id)];
      const [pointer, before] = (await Promise.all(
        names.map((name) => read(tag, keys.entity(tag, clientId, name))),
      )).map(pointerIn);
      const isOlder = (before?.generation ?? 0) > (pointer?.generation ?? 0);
      return isOlder ? before : pointer;
    },

    async claimRegistration(event, claimId) {
      const reply = await runScript(
        'claim-registration', [claimKeyOf(event), digestKeyOf(event)],
        [claimId, event.generation, config.claimLeaseMs],
      );
      return reply as ClaimAnswer;
    },

    async claimTransition(event, from, claimId) {
      const reply = await runScript(
        'claim-transition', [claimKeyOf(event)],
        [claimId, event.epoch, from, event.client_id, config.claimLeaseMs],
      );
      return reply as ClaimAnswer;
    },

    confirm: async (event, claimId) => await merge([{ event, from: claimId }], true) === 1,

    async release(event, claimId) {
      await runScript('release-claim', [claimKeyOf(event)], [claimId]);
    },

    async apply(facts) {
      await merge(facts.map(({ event, position }) => ({ event, from: position })), false);
    },
  };
}

/** A registration is claimed at its entity, because its device does not exist yet. */
function claimKeyOf(event: DeviceEvent): string {
  const tag = tagOfClient(event.client_id);
  return event.type === 'DeviceRegistered'
    ? keys.entity(tag, event.client_id, entityNameOf(event))
    : keys.device(tag, event.device_id);
}

/** Where the entity was before there were keyed hashes; older gateways look there. */
function digestKeyOf({ client_id, entity_type, entity_id = '' }: DeviceRegistered): string {
  const tag = tagOfClient(client_id);
  return keys.entity(tag, client_id, entityDigest(entity_type, entity_id));
}

function pointerIn(fields: ReadonlyMap<string, string> | undefined): EntityPointer | undefined {
  const device_id = fields?.get('device_id');
  if (device_id === undefined) return undefined;
  return { generation: Number(fields?.get('generation')), device_id };
}

function mergeArgs({ event, from }: PlacedFact): readonly (string | number)[] {
  const place = typeof from === 'string' ? ['', from] : [from.topicId, String(from.offset)];
  return [...factArgs(event), ...place];
}
