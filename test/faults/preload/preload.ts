/**
 * Loaded before a process of the product (`node --import`), and commanded through files in its
 * working directory, so that faults can strike inside it without code of theirs in the product.
 *
 *   failpoint   `STEP/OF NTH ACT [MS]`: at the nth passing of the step the process kills (`kill`),
 *               stops (`stop`) or stalls (`stall MS`) itself; the file is gone once that happened
 *   clock       milliseconds by which this process sees a wrong time
 *   collects    while it is there, the process now and then collects all rubbish, which pauses it,
 *               and writes into `held` how many bytes are in use after that
 *
 * As the last thing it writes that a process ended of its own accord: `ends.jsonl`, run-files.ts.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { STEP_CHANNEL, type PassedStep } from '../../../services/adapters/signals/steps.ts';
import { RUN_FILES, type ProcessEnd } from '../run-files.ts';

interface Failpoint {
  readonly at: string;
  readonly act: string;
  readonly stallMs: number;
  left: number;
}

const POLL_MS = 50;
const COLLECT_EVERY_MS = 20_000;
const REASON_CHARACTERS_MAX = 500;
let armedText = '';
let armed: Failpoint | undefined;
let offsetMs = 0;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return ''; // Not there: nothing is wanted.
  }
}

function readFiles(): void {
  offsetMs = Number(textOf('clock') || 0);
  const text = textOf('failpoint');
  if (text === armedText) return;
  armedText = text;
  const [at = '', nth = '1', act = 'kill', stallMs = '0'] = text.split(' ');
  armed = text === '' ? undefined : { at, act, stallMs: Number(stallMs), left: Number(nth) };
}

function strike({ act, stallMs }: Failpoint): void {
  armed = undefined;
  rmSync('failpoint', { force: true });
  if (act === 'kill') process.kill(process.pid, 'SIGKILL');
  if (act === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (act === 'stall') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
}

subscribe(STEP_CHANNEL, (message) => {
  const { step, of } = message as PassedStep;
  if (armed === undefined || (armed.at !== `${step}/${of}` && armed.at !== `${step}/*`)) return;
  armed.left -= 1;
  if (armed.left <= 0) strike(armed);
});

const trueNow = Date.now.bind(Date);
// The product asks for the time at one place only (adapters/system), and it asks Date.now.
Date.now = () => trueNow() + offsetMs;

let lastWords = '';
process.on('uncaughtExceptionMonitor', (error) => { lastWords = String(error); });
const write = process.stderr.write.bind(process.stderr);
// The product ends with its error on standard error.
process.stderr.write = ((...args: Parameters<typeof write>) => {
  lastWords = String(args[0]);
  return write(...args);
}) as typeof process.stderr.write;

// A signal ends a process without this event.
process.on('exit', (code) => {
  if (code === 0) return;
  const [reason = ''] = lastWords.trim().split('\n');
  const end = { at_ms: trueNow(), code, reason: reason.slice(0, REASON_CHARACTERS_MAX) };
  appendFileSync(RUN_FILES.ends, `${JSON.stringify(end satisfies ProcessEnd)}\n`);
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
rmSync(RUN_FILES.held, { force: true });
setInterval(() => {
  if (textOf('collects') === '') return;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  writeFileSync(RUN_FILES.held, String(heapUsed + external));
}, COLLECT_EVERY_MS).unref();

readFiles();
setInterval(readFiles, POLL_MS).unref();
