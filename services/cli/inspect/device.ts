import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeviceEvent, DeviceStage, StoredDevice } from '../../kernel/devices.ts';
import type { LogReader } from '../../kernel/record-log.ts';
import { factsUnder, isoOf, whereOf } from './facts.ts';
import type { TransportId } from '../../kernel/ids.ts';

/** A device in what log and state store both say; names of its entity are not in it. */
export interface DeviceSeen {
  readonly owner: string;
  readonly owner_user: string;
  readonly entity_type: string;
  readonly generation: number;
  readonly transport_id: TransportId;
  readonly epoch: DeviceStage;
  readonly status: (typeof STATUS)[number];
}

/** A device by its facts in the log; `seen` is absent while its registration is not there. */
export interface DeviceInLog {
  readonly seen: DeviceSeen | undefined;
  readonly lifecycle: readonly {
    readonly fact: string; readonly at: string; readonly record_id: string;
  }[];
}

const STATUS = ['unknown', 'registered', 'tracking', 'stopped'] as const;

/** Reads the lifecycle of a device: its rank is the highest that any fact gives it. */
export async function deviceInLog(reader: LogReader, deviceId: string): Promise<DeviceInLog> {
  const facts = await factsUnder<DeviceEvent>(
    reader, TOPICS.deviceLifecycle.name, ({ key }) => key === deviceId,
  );
  const epoch = Math.max(0, ...facts.map(({ fact }) => fact.epoch)) as DeviceStage;
  // Of two registrations the earlier one counts, as in the state store.
  const first = facts.map(({ fact }) => fact).filter((fact) => fact.type === 'DeviceRegistered')
    .sort((a, b) => a.at_ms - b.at_ms)[0];
  return {
    seen: first === undefined ? undefined : {
      owner: first.client_id, owner_user: first.user_id, entity_type: first.entity_type,
      generation: first.generation, transport_id: first.transport_id, epoch,
      status: STATUS[epoch],
    },
    lifecycle: facts.map(({ fact, record }) => ({
      fact: fact.type, at: isoOf(fact.at_ms), record_id: whereOf(record),
    })),
  };
}

/** A device of the state store in the same words. */
export function deviceInState(device: StoredDevice): DeviceSeen {
  const { client_id, user_id, entity_type, generation, transport_id, epoch } = device;
  return {
    owner: client_id, owner_user: user_id, entity_type, generation, transport_id, epoch,
    status: STATUS[epoch],
  };
}

/** Names of what the two say differently. */
export function differences(one: DeviceSeen, other: DeviceSeen): readonly string[] {
  return (Object.keys(one) as (keyof DeviceSeen)[]).filter((name) => one[name] !== other[name]);
}
