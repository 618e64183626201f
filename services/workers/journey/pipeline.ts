import type { LogHandler } from '../../kernel/record-log.ts';
import { createBatchHandler, type BatchHandlerPorts } from '../common/batch-handler.ts';
import type { KeyOrder } from '../common/key-order.ts';
import type { AnyRecord, Poison } from '../common/outcomes.ts';
import type { PoisonFloodConfig } from '../common/poison-flood.ts';
import {
  createNotificationJudge, type JudgeNotificationsConfig, type JudgeNotificationsPorts,
} from './judge-notifications.ts';
import { createNotificationReader } from './read-notification.ts';

/** What the worker of journeys works with. */
export interface JourneyWorkerPorts
  extends Omit<BatchHandlerPorts, 'applyRecords' | 'onAssigned'>, JudgeNotificationsPorts {
  /** Parks a shipment behind a notification that cannot be read; absent, it goes on without it. */
  readonly order?: KeyOrder;
}

/** Judges every notification once, says so in the log, and keeps where each shipment stands. */
export function createJourneyWorker(
  config: PoisonFloodConfig & JudgeNotificationsConfig, ports: JourneyWorkerPorts,
): LogHandler {
  const { order, ...rest } = ports;
  const judge = createNotificationJudge(config, ports);
  const worker = { ...config, worker: 'journey' };
  if (order === undefined) return createBatchHandler(worker, { ...rest, applyRecords: judge });

  const read = createNotificationReader(ports.readRecord, ports.digest);
  function refuse(record: AnyRecord): Poison | undefined {
    const reading = read(record);
    return reading.ok ? undefined : reading.poison;
  }
  return createBatchHandler(worker, {
    ...rest, applyRecords: order.inOrder(refuse, judge), onAssigned: order.onAssigned,
  });
}
