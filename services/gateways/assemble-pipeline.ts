import { createLogWatch } from '../adapters/kafka/log-watch.ts';
import type { KafkaLog } from '../adapters/kafka/open.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import type { IngestMinutes } from '../kernel/ingest-minutes.ts';
import type { Readiness } from '../kernel/readiness.ts';
import { createPipeline, type Pipeline } from '../operator/pipeline/pipeline.ts';
import type { StoreByGroup } from '../operator/pipeline/stores.ts';
import { groupOf, WORKERS, type WorkerId } from '../workers/workers.ts';
import type { GatewayRoom } from './gateways.ts';

/** What the pipeline is read from. */
interface PipelineParts {
  readonly kafka: Pick<KafkaLog, 'admin'>;
  readonly states: { readonly readiness: Pick<Readiness, 'isReady'> };
  readonly ingestMinutes: IngestMinutes;
}

/** Every worker that reads in a group. Those that call parties wait for them and fill no store. */
export const STORE_BY_GROUP: StoreByGroup = new Map(WORKERS
  .filter(({ reads }) => reads.length > 0)
  .map(({ id, needs, program }: { id: WorkerId; needs: readonly string[]; program: string }) => {
    const filled = needs.includes('tables') ? 'tables' as const : 'state' as const;
    return [groupOf(id), program === 'parties' ? undefined : filled] as const;
  }));

/** Where a process that has the room `operator` reads the pipeline. */
export function openPipeline(
  rooms: readonly GatewayRoom[], { kafka, states, ingestMinutes }: PipelineParts,
): Pipeline | undefined {
  if (!rooms.includes('operator')) return undefined;
  return createPipeline(STORE_BY_GROUP, {
    watch: createLogWatch(kafka.admin), readiness: states.readiness, minutes: ingestMinutes,
    clock: systemClock, pause: systemPause,
  });
}
