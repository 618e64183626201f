/**
 * `npm run simulate -- --schedules 100000 --seed N [--only MODEL] [--threads N]`: handlers and
 * keepers over ports in memory, under faults at every step, judged by their laws (test/simulator).
 *
 * A schedule that breaks a law is run again for its trace, and the command that repeats it is
 * printed. The exit code is not 0 when any was broken or none was run.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { modelNamed } from '../test/simulator/models.ts';
import { runSchedule } from '../test/simulator/run-schedule.ts';
import { readOptions, type SimulateOptions } from './simulate/options.ts';
import { runShare, type ShareReport } from './simulate/run-share.ts';

interface Share { readonly options: SimulateOptions; readonly thread: number }

const TRACE_LINES_MAX = 400;

if (isMainThread) await main();
else {
  const { options, thread } = workerData as Share;
  parentPort?.postMessage(await runShare(options, thread));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const { schedules, seed, models, threads } = options;
  console.log(`${schedules} schedules of ${models.join(', ')} from seed ${seed}`);
  const beganMs = performance.now();
  const shares = await Promise.all(Array.from({ length: threads }, (_, thread) =>
    runInThread({ options, thread })));
  const seconds = (performance.now() - beganMs) / 1_000;
  const broken = shares.flatMap((share) => share.broken);
  for (const { model, seed: own } of broken) await printTrace(model, own);
  const ran = shares.reduce((sum, share) => sum + share.schedules, 0);
  const steps = shares.reduce((sum, share) => sum + share.steps, 0);
  console.log(
    `${ran} schedules, ${steps} steps, ${seconds.toFixed(0)} s, ${broken.length} broken, seed ${seed}`,
  );
  process.exitCode = broken.length === 0 && ran === schedules && ran > 0 ? 0 : 1;
}

function runInThread(share: Share): Promise<ShareReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`a thread ended with ${code}`)));
  });
}

/** The same seed gives the same schedule, so it is enough to look closely the second time. */
async function printTrace(model: string, seed: number): Promise<void> {
  const { trace, findings, steps } = await runSchedule(modelNamed(model), seed, { isTraced: true });
  console.log(trace.slice(-TRACE_LINES_MAX).join('\n'));
  for (const finding of findings) console.log(`broken: ${finding}`);
  console.log(`${steps} steps; the last ${Math.min(TRACE_LINES_MAX, trace.length)} lines are above`);
  console.log(`again: npm run simulate -- --only ${model} --seed ${seed} --schedules 1\n`);
}
