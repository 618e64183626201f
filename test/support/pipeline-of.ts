import { createLogWatch } from '../../services/adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../../services/adapters/kafka/open.ts';
import { systemPause } from '../../services/adapters/system/system.ts';
import { createPipeline, type Pipeline } from '../../services/operator/pipeline/pipeline.ts';
import type { StoreByGroup } from '../../services/operator/pipeline/stores.ts';
import { wallClock } from './kafka-logs.ts';

/** The pipeline of a real log, with a clock that a test moves on. */
export interface PipelineOfLog extends Pipeline {
  /** As if so many milliseconds had gone by. */
  later(milliseconds: number): void;
}

/** Opens it; the stores beside the log are there and empty. */
export function pipelineOf({ admin }: Pick<KafkaLog, 'admin'>, stores: StoreByGroup): PipelineOfLog {
  let passedMs = 0;
  const pipeline = createPipeline(stores, {
    watch: createLogWatch(admin), readiness: { isReady: async () => true },
    minutes: { find: async () => [] }, clock: { nowMs: () => wallClock.nowMs() + passedMs },
    pause: systemPause,
  });
  return { ...pipeline, later(milliseconds) { passedMs += milliseconds; } };
}
