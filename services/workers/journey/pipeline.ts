import type { LogHandler } from '../../kernel/record-log.ts';
import { createBatchHandler, type BatchHandlerPorts } from '../common/batch-handler.ts';
import type { CrashBreaker } from '../common/crash-breaker.ts';
import type { KeyOrder } from '../common/key-order.ts';
import type { ConsumedRecord, Poison } from '../common/outcomes.ts';
import type { PoisonFloodConfig } from '../common/poison-flood.ts';
import {
  createNotificationClassifier, type ClassifyNotificationsConfig, type ClassifyNotificationsPorts,
} from './classify-notifications.ts';
import { createNotificationReader } from './read-notification.ts';

/** What the worker of journeys works with. */
export interface JourneyWorkerPorts
  extends Omit<BatchHandlerPorts, 'applyRecords' | 'onAssigned'>, ClassifyNotificationsPorts {
  /** Parks a shipment behind a notification that cannot be read; absent, it goes on without it. */
  readonly order?: KeyOrder;
  /** Parks a shipment behind a notification too at which the process ended each time. */
  readonly breaker?: CrashBreaker;
}

/** Classifies every notification once, records the outcome, and keeps each shipment's state. */
export function createJourneyWorker(
  config: PoisonFloodConfig & ClassifyNotificationsConfig, ports: JourneyWorkerPorts,
): LogHandler {
  const { order, breaker, ...rest } = ports;
  const read = createNotificationReader(ports.readRecord, ports.digest);
  const classify = createNotificationClassifier(config, ports, read);
  const worker = { ...config, worker: 'journey' };
  if (order === undefined) return createBatchHandler(worker, { ...rest, applyRecords: classify });

  function refuse(record: ConsumedRecord): Poison | undefined {
    const poison = breaker?.poisonOf(record);
    if (poison !== undefined) return poison;
    const reading = read(record);
    return reading.ok ? undefined : reading.poison;
  }
  const ordered = order.inOrder(refuse, breaker?.guard(classify) ?? classify);
  return createBatchHandler(worker, {
    ...rest,
    async applyRecords(records) {
      await breaker?.load();
      return ordered(records);
    },
    async onAssigned(partitions) {
      breaker?.onAssigned();
      await order.onAssigned(partitions);
    },
  });
}
