import { createSignals, type RunningSignals } from '../adapters/signals/signals.ts';
import { createLifecycle, type Lifecycle } from '../adapters/system/lifecycle.ts';
import { chooseParts, type ProgramPart } from './choose-parts.ts';
import type { FactsOf } from '../kernel/signals.ts';
import type { SharedConfig } from './open-log.ts';

/** What is given to a process that starts. */
export interface ProcessStart<Id extends string, Config> {
  readonly parts: readonly Id[];
  readonly config: Config;
  readonly signals: RunningSignals;
  /** Gives back everything that was opened, the last first. */
  readonly lifecycle: Lifecycle;
  /** Ends the process, with nothing more committed, after an error that it cannot go on after. */
  readonly onCrash: (error: unknown) => void;
}

/** A kind of process. */
export interface ProcessProgram<Id extends string, Config extends SharedConfig> {
  readonly service: 'gateways' | 'workers';
  readonly table: readonly ProgramPart<Id>[];
  /** Reads the configuration; throws one error that names everything that is wrong with it. */
  readonly configOf: (env: NodeJS.ProcessEnv) => Config;
  /** What is logged of the configuration: no secret is shown. */
  readonly describe: (config: Config) => FactsOf<'boot'>;
  /** How long its parts may take to end, in milliseconds. */
  readonly leavingMsMax: (config: Config) => number;
  /** Resolves once it works, and has said so. */
  readonly start: (given: ProcessStart<Id, Config>) => Promise<void>;
}

/** For a part that ends on top of the time that its work is given, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Runs the parts named on the command line until the process must end, then exits. */
export async function runProcess<Id extends string, Config extends SharedConfig>(
  kind: ProcessProgram<Id, Config>,
): Promise<never> {
  try {
    await run(kind);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    process.exit(1);
  }
}

/** What its operator set wrong, in the words that say what to set. */
class BadStart extends Error {}

/** A bad start is one sentence; where another error was is needed to mend it. */
function textOf(error: unknown): string {
  if (error instanceof BadStart) return error.message;
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

function read<Read>(work: () => Read): Read {
  try {
    return work();
  } catch (error) {
    // Settings are refused by plain errors; a kind of its own is a defect, which needs its stack.
    if ((error as Error).constructor !== Error) throw error;
    throw new BadStart((error as Error).message, { cause: error });
  }
}

async function run<Id extends string, Config extends SharedConfig>(
  { service, table, configOf, describe, leavingMsMax, start }: ProcessProgram<Id, Config>,
): Promise<void> {
  const parts = read(() => chooseParts(process.argv.slice(2), table));
  const config = read(() => configOf(process.env));
  const level = config.RASTRO_LOG_LEVEL as 'debug' | 'info' | 'warn' | 'error';
  const signals = createSignals({ service, level, measuresProcess: true });
  signals.boot(describe(config));
  const lifecycle = createLifecycle({ releaseMsMax: leavingMsMax(config) + PATIENCE_MS }, signals);
  lifecycle.onRelease('signals', signals.flush);
  const crash = Promise.withResolvers<never>();
  // A crash before the wait begins must not end the process without its releases.
  crash.promise.catch(() => undefined);
  try {
    await start({ parts, config, signals, lifecycle, onCrash: crash.reject });
    await Promise.race([lifecycle.untilStopSignal(), crash.promise]);
    signals.draining();
  } finally {
    await lifecycle.release();
  }
}
