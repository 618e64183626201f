import type { LogHandler } from '../../kernel/record-log.ts';
import { createKeeper, type KeeperPorts } from '../common/keeper.ts';
import type { PoisonFloodConfig } from '../common/poison-flood.ts';
import {
  createNotificationJudge, type JudgeNotificationsConfig, type JudgeNotificationsPorts,
} from './judge-notifications.ts';

/** What the shipment keeper works with. */
export type ShipmentKeeperPorts = Omit<KeeperPorts, 'applyRecords'> & JudgeNotificationsPorts;

/** Judges every notification once, says so in the log, and keeps where each shipment stands. */
export function createShipmentKeeper(
  config: PoisonFloodConfig & JudgeNotificationsConfig, ports: ShipmentKeeperPorts,
): LogHandler {
  return createKeeper(
    { ...config, worker: 'shipment-keeper' },
    { ...ports, applyRecords: createNotificationJudge(config, ports) },
  );
}
