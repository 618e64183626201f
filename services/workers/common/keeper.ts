import type { Clock } from '../../kernel/clock.ts';
import type { LogHandler } from '../../kernel/record-log.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { DeadLetters } from './dead-letters.ts';
import {
  commitPositions, reportOutcomes, type AnyRecord, type ApplyRecords, type Outcome,
} from './outcomes.ts';
import { refusePoisonFlood, type PoisonFloodConfig } from './poison-flood.ts';
import { reportFreshness } from './report-freshness.ts';

/** Settings of a keeper. */
export interface KeeperConfig extends PoisonFloodConfig {
  /** Name of the worker in its metrics. */
  readonly worker: string;
}

/** What a keeper works with. */
export interface KeeperPorts {
  readonly applyRecords: ApplyRecords;
  /** What must be known before the first record of a share. */
  readonly onAssigned?: LogHandler['onAssigned'];
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly signals: Signals;
}

/**
 * A worker that keeps the state store equal to the log. It holds nothing between batches, so a
 * share of the log can come and go at any time; the commit is the last thing that happens.
 */
export function createKeeper(config: KeeperConfig, ports: KeeperPorts): LogHandler {
  const { applyRecords, deadLetters, clock, signals } = ports;
  return {
    onAssigned: async (partitions) => ports.onAssigned?.(partitions),
    async onRevoked() {},
    async onRecords(records) {
      const begun = clock.nowMs();
      const outcomes = await applyRecords(records);
      refusePoisonFlood(config, outcomes);
      await writeDeadLetters(deadLetters, outcomes);
      reportOutcomes(signals, config.worker, outcomes);
      reportFreshness(signals, 'state', applied(outcomes), clock.nowMs());
      signals.batchApplied({
        worker: config.worker, seconds: (clock.nowMs() - begun) / 1000,
      });
      return commitPositions(records);
    },
  };
}

/** In the order of the log, so that the letters of one key keep their order too. */
async function writeDeadLetters(
  deadLetters: DeadLetters, outcomes: readonly Outcome[],
): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'dead_letter') continue;
    const { stage, code, detail } = outcome.poison;
    await deadLetters.write(outcome.record, stage, code, detail);
  }
}

function applied(outcomes: readonly Outcome[]): readonly AnyRecord[] {
  return outcomes.filter(({ kind }) => kind !== 'dead_letter').map(({ record }) => record);
}
