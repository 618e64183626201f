import type { Clock } from '../../kernel/clock.ts';
import type { Signals } from '../../kernel/signals.ts';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { WorkerStage } from '../workers.ts';

/** Runs one stage of a worker by its name in the table of workers. */
export type RunStage<Names extends string> = <Result>(
  name: Names, work: () => Promise<Result> | Result,
) => Promise<Result>;

/** Reports how long each stage of a worker took and with which code it ended. */
export function createStages<const Names extends string>(
  worker: string, _stages: readonly WorkerStage<Names>[],
  { clock, signals }: { readonly clock: Clock; readonly signals: Signals },
): RunStage<Names> {
  return async function runStage(name, work) {
    const begun = clock.nowMs();
    let code = 'none';
    try {
      return await work();
    } catch (error) {
      code = isUnavailable(error) ? error.code : 'internal';
      throw error;
    } finally {
      const seconds = (clock.nowMs() - begun) / 1_000;
      signals.stageEnded({ worker, stage: name, code, seconds });
    }
  };
}
