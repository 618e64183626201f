import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { DeviceStates } from '../../../kernel/devices.ts';
import type { PositionStates } from '../../../kernel/positions.ts';
import type { LogHandler } from '../../../kernel/record-log.ts';
import { createKeeper, type KeeperPorts } from '../../common/keeper.ts';
import { applyByTopic } from '../../common/apply-by-topic.ts';
import type { PositionConfig } from '../../common/plausible-fix.ts';
import type { PoisonFloodConfig } from '../../common/poison-flood.ts';
import type { ReadRecord } from '../../common/read-record.ts';
import { createLifecycleApplier, createPositionApplier } from './apply-device-records.ts';

/** What the device keeper works with. */
export interface DeviceKeeperPorts extends Omit<KeeperPorts, 'applyRecords'> {
  readonly devices: DeviceStates;
  readonly positions: PositionStates;
  readonly readRecord: ReadRecord;
}

/** Keeps devices and their last positions in the state store equal to what the log says. */
export function createDeviceKeeper(
  config: PoisonFloodConfig & PositionConfig, ports: DeviceKeeperPorts,
): LogHandler {
  const applyRecords = applyByTopic({
    [TOPICS.deviceLifecycle.name]: createLifecycleApplier(ports.devices, ports.readRecord),
    [TOPICS.locations.name]: createPositionApplier(config, ports.positions),
  });
  return createKeeper({ ...config, worker: 'device-keeper' }, { ...ports, applyRecords });
}
