import type { Clock } from '../../kernel/clock.ts';
import type { LogHandler } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';
import { BATCH_STAGES } from '../workers.ts';
import type { DeadLetters } from './dead-letters.ts';
import {
  commitOffsets, reportOutcomes, type ConsumedRecord, type ApplyRecords, type Outcome,
} from './outcomes.ts';
import { refusePoisonFlood, type PoisonFloodConfig } from './poison-flood.ts';
import { reportFreshness } from './report-freshness.ts';
import { createStages } from './stages.ts';

/** Settings of a worker that applies batches. */
export interface BatchHandlerConfig extends PoisonFloodConfig {
  /** Id of the worker in the table of workers. */
  readonly worker: string;
}

/** What a worker that applies batches works with. */
export interface BatchHandlerPorts {
  readonly applyRecords: ApplyRecords;
  /** What must be known before the first record of an assignment. */
  readonly onAssigned?: LogHandler['onAssigned'];
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly signals: Signals;
}

/**
 * A worker that applies each batch of records and then hands its offsets back to be committed. It
 * holds nothing between batches, so its assignment can come and go at any time.
 */
export function createBatchHandler(
  config: BatchHandlerConfig, ports: BatchHandlerPorts,
): LogHandler {
  const { applyRecords, deadLetters, clock, signals } = ports;
  const { worker } = config;
  const stage = createStages(worker, BATCH_STAGES, ports);
  return {
    onAssigned: async (partitions) => ports.onAssigned?.(partitions),
    async onRevoked() {},
    async onRecords(records) {
      const begun = clock.nowMs();
      const outcomes = await stage('apply', () => applyRecords(records));
      await stage('refuse-flood', () => refusePoisonFlood(config, outcomes));
      await stage('dead-letters', () => writeDeadLetters(deadLetters, outcomes));
      await stage('report', () => {
        reportOutcomes(signals, worker, outcomes);
        reportFreshness(signals, 'state', applied(outcomes), clock.nowMs());
      });
      signals.batchApplied({ worker, seconds: (clock.nowMs() - begun) / 1000 });
      return commitOffsets(records);
    },
  };
}

/** In the order of the log, so that the dead letters of one key keep their order too. */
async function writeDeadLetters(
  deadLetters: DeadLetters, outcomes: readonly Outcome[],
): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'dead_letter') continue;
    const { stage, code, detail } = outcome.poison;
    await deadLetters.write(outcome.record, stage, code, detail);
  }
}

function applied(outcomes: readonly Outcome[]): readonly ConsumedRecord[] {
  return outcomes.filter(({ kind }) => kind !== 'dead_letter').map(({ record }) => record);
}
