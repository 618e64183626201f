import { describeConfig, readConfig } from '../adapters/config/read-config.ts';
import { workersSettings } from '../adapters/config/workers.ts';
import { createSignals } from '../adapters/signals/signals.ts';
import { createLifecycle } from '../adapters/system/lifecycle.ts';
import { startWorkers, WORKERS, type WorkerName } from './assemble.ts';

/** For a part that ends on top of the time that its work is given, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Runs the workers named on the command line (`all` for every one) until it is told to end. */
async function main(): Promise<void> {
  const names = workersOf(process.argv.slice(2));
  const config = readConfig('workers', workersSettings, process.env);
  const level = config.RASTRO_LOG_LEVEL as 'debug' | 'info' | 'warn' | 'error';
  const signals = createSignals({ service: 'workers', level, measuresProcess: true });
  signals.boot(describeConfig('workers', workersSettings, config));
  const lifecycle = createLifecycle(
    { releaseMsMax: config.RASTRO_DRAIN_MS_MAX + PATIENCE_MS }, signals,
  );
  lifecycle.onRelease('signals', signals.flush);
  const crash = Promise.withResolvers<never>();
  // A crash before anybody waits for it must not end the process without its releases.
  crash.promise.catch(() => undefined);
  try {
    await startWorkers(names, config, signals, lifecycle, crash.reject);
    signals.working({ workers: names.join(' ') });
    await Promise.race([lifecycle.untilTold(), crash.promise]);
    signals.draining();
  } finally {
    await lifecycle.release();
  }
}

function workersOf(names: readonly string[]): readonly WorkerName[] {
  if (names.length === 0 || names.includes('all')) return WORKERS;
  const unknown = names.find((name) => !WORKERS.some((worker) => worker === name));
  if (unknown !== undefined) {
    throw new Error(`No worker ${unknown}; there are ${WORKERS.join(', ')} and all.`);
  }
  return WORKERS.filter((worker) => names.includes(worker));
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack ?? error.message : String(error)}\n`);
  process.exit(1);
}
