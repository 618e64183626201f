import type { LogHandler } from '../../../kernel/record-log.ts';
import type { TraceablePositions } from '../../../kernel/traceables.ts';
import { createKeeper, type KeeperPorts } from '../../common/keeper.ts';
import type { PositionConfig } from '../../common/plausible-fix.ts';
import type { PoisonFloodConfig } from '../../common/poison-flood.ts';
import { createDeliveryApplier } from './apply-delivery-records.ts';

/** What the delivery keeper works with. */
export interface DeliveryKeeperPorts extends Omit<KeeperPorts, 'applyRecords'> {
  readonly traceables: Pick<TraceablePositions, 'offer'>;
}

/** Keeps last positions of traceables in the state store equal to what the log says. */
export function createDeliveryKeeper(
  config: PoisonFloodConfig & PositionConfig, ports: DeliveryKeeperPorts,
): LogHandler {
  return createKeeper(
    { ...config, worker: 'delivery-keeper' },
    { ...ports, applyRecords: createDeliveryApplier(config, ports.traceables) },
  );
}
