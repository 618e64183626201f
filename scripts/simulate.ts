/**
 * `npm run simulate`: handlers and workers over ports in memory, under faults at every step, held
 * to their invariants (test/simulator). A schedule that breaks one is run again for its trace.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  example, repeated, wholeFrom, wrongValue,
} from '../services/adapters/command-line/command-line.ts';
import { runScript } from '../services/adapters/command-line/run-script.ts';
import { modelNamed, MODELS } from '../test/simulator/models.ts';
import { runSchedule } from '../test/simulator/run-schedule.ts';
import { runThread, type ThreadReport, type SimulateOptions } from '../test/simulator/run-thread.ts';

interface ThreadTask { readonly options: SimulateOptions; readonly thread: number }

const TRACE_LINES_MAX = 400;
const NAMES = MODELS.map(({ name }) => name);

if (!isMainThread) {
  const { options, thread } = workerData as ThreadTask;
  parentPort?.postMessage(await runThread(options, thread));
} else {
  await runScript((command, does) => {
    example(command.name('npm run simulate --')
      .description('Runs random schedules of the product over ports in memory.')
      .option('--schedules <n>', 'how many', wholeFrom(0, 10_000_000), 5_000)
      .option('--seed <n>', 'seed of the first schedule; each next one has the next (default: new)',
        wholeFrom(0, Number.MAX_SAFE_INTEGER), Date.now() % 1_000_000_000)
      .option('--only <model>', `of ${NAMES.join(', ')}; may be repeated`, modelFrom)
      .option('--threads <n>', 'threads', wholeFrom(0, 64), 2)
      .action(does((_ports, { only, ...options }: Omit<SimulateOptions, 'models'> & {
        readonly only?: readonly string[];
      }) => simulate({ ...options, models: only ?? NAMES }))),
    'npm run simulate -- --schedules 100000 --seed 7',
    'Exit codes: 0 none is broken, 1 one is or none was run, 2 wrong use.');
  });
}

function modelFrom(name: string, before: readonly string[] | undefined): readonly string[] {
  return NAMES.includes(name) ? repeated(name, before) : wrongValue(`There is no model ${name}.`);
}

async function simulate(options: SimulateOptions): Promise<number> {
  const { schedules, seed, models, threads } = options;
  console.log(`${schedules} schedules of ${models.join(', ')} from seed ${seed}`);
  const beganMs = performance.now();
  const reports = await Promise.all(Array.from({ length: threads }, (_, thread) =>
    runInThread({ options, thread })));
  const seconds = (performance.now() - beganMs) / 1_000;
  const broken = reports.flatMap((report) => report.broken);
  for (const { model, seed: own } of broken) await printTrace(model, own);
  const ran = reports.reduce((sum, report) => sum + report.schedules, 0);
  const steps = reports.reduce((sum, report) => sum + report.steps, 0);
  console.log(
    `${ran} schedules, ${steps} steps, ${seconds.toFixed(0)} s, ${broken.length} broken, seed ${seed}`,
  );
  return broken.length === 0 && ran === schedules && ran > 0 ? 0 : 1;
}

function runInThread(report: ThreadTask): Promise<ThreadReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: report });
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
