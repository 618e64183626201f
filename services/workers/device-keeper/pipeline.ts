import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeviceStates } from '../../kernel/devices.ts';
import type { PositionStates } from '../../kernel/positions.ts';
import type { LogHandler } from '../../kernel/record-log.ts';
import { createKeeper, type KeeperPorts } from '../common/keeper.ts';
import type { ApplyRecords } from '../common/outcomes.ts';
import type { PoisonFloodConfig } from '../common/poison-flood.ts';
import { createLifecycleApplier, createPositionApplier } from './apply-device-records.ts';
import type { PositionConfig } from './choose-position.ts';

/** What the device keeper works with. */
export interface DeviceKeeperPorts extends Omit<KeeperPorts, 'applyRecords'> {
  readonly devices: DeviceStates;
  readonly positions: PositionStates;
}

/** Keeps devices and their last positions in the state store equal to what the log says. */
export function createDeviceKeeper(
  config: PoisonFloodConfig & PositionConfig, ports: DeviceKeeperPorts,
): LogHandler {
  const applyLifecycle = createLifecycleApplier(ports.devices);
  const applyPositions = createPositionApplier(config, ports.positions);

  const applyRecords: ApplyRecords = async (records) => {
    const isLifecycle = (record: { topic: string }): boolean =>
      record.topic === TOPICS.deviceLifecycle.name;
    return [
      ...await applyLifecycle(records.filter(isLifecycle)),
      ...await applyPositions(records.filter((record) => !isLifecycle(record))),
    ];
  };
  return createKeeper({ ...config, worker: 'device-keeper' }, { ...ports, applyRecords });
}
