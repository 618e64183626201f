import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT_DIR } from '../../../infra/local/processes/process.ts';
import type { Task } from '../offend.ts';

/** What an offender was answered, and how often. */
export type Answers = Readonly<Record<string, number>>;

/** An offender at work in its own process. */
export interface Offending {
  /** Kept when it was answered for the first time, when it ended, or after a while. */
  readonly begun: Promise<unknown>;
  /** Ends it. */
  stop(): Promise<Answers>;
}

const MAIN = join(ROOT_DIR, 'test', 'hostile', 'offend.ts');
/** A machine with much to do lets it begin late; its time is counted from there. */
const BEGUN_MS_MAX = 20_000;
const STOP_MS_MAX = 15_000;

/**
 * Starts an offender, below everything else in priority, since it shall be a burden by what it
 * sends, and not by what it takes of this machine.
 */
export function startOffending(task: Task): Offending {
  const child = spawn('nice', ['-n', '10', process.execPath, MAIN], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => { output += chunk.toString(); });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(task)}\n`);
  const ended = once(child, 'close');
  return {
    begun: Promise.race([
      once(child.stdout, 'data'), ended, delay(BEGUN_MS_MAX, undefined, { ref: false }),
    ]),
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      child.stdin.end();
      await ended;
      clearTimeout(timer);
      return (output.trim() === '' ? {} : JSON.parse(output)) as Answers;
    },
  };
}
