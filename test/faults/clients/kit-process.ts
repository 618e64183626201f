import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { LocationFix } from '../../../services/clients/typescript/src/index.ts';

/** Fixes that are handed to a kit, with a number to report them as safe. */
export interface Handed {
  readonly number: number;
  readonly device_id: string;
  readonly fixes: readonly LocationFix[];
}

/** How the process of a kit is started. */
export interface KitCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A kit in a process, which can be killed while it sends, and started again. */
export interface KitProcess {
  /** Starts it, and hands over what is not safe yet. */
  start(): void;
  hand(handed: Handed): void;
  /** kill -9. */
  kill(): Promise<void>;
  /** Ends when the kit has sent everything and its process has ended well. */
  flush(): Promise<void>;
  /** Ends it, whether it runs or not. */
  end(): Promise<void>;
  /** True once a batch is accepted since the last start: the kit is at work. */
  isSending(): boolean;
  /** Handed over and not reported as safe. */
  unsafe(): number;
  /** Lines that must not be: refusals, failures, what it wrote to standard error. */
  readonly troubles: readonly string[];
}

const TROUBLES_MAX = 20;

/** Its process is not started yet. */
export function createKitProcess({ program, args, env }: KitCommand): KitProcess {
  const waiting = new Map<number, Handed>();
  const troubles: string[] = [];
  let child: ChildProcess | undefined;
  let isSending = false;
  let isFlushed = false;

  function hear(line: string): void {
    const [word = '', ...rest] = line.split(' ');
    if (word === 'safe') waiting.delete(Number(rest[0]));
    else if (word === 'accepted') isSending = true;
    else if (word === 'flushed') isFlushed = true;
    else trouble(line);
  }

  function trouble(line: string): void {
    if (troubles.length < TROUBLES_MAX) troubles.push(line);
  }

  function write(line: string): void {
    child?.stdin?.write(`${line}\n`);
  }

  function start(): void {
    isSending = false;
    child = spawn(program, args, {
      env: { PATH: process.env['PATH'], ...env }, stdio: ['pipe', 'pipe', 'pipe'],
    });
    // What is written to a killed process is handed over again.
    child.stdin?.on('error', () => undefined);
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', hear);
    if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', trouble);
    for (const handed of waiting.values()) write(JSON.stringify(handed));
  }

  return {
    start,
    hand(handed) {
      waiting.set(handed.number, handed);
      write(JSON.stringify(handed));
    },
    async kill() {
      const killed = child;
      child = undefined;
      if (killed === undefined || killed.exitCode !== null) {
        trouble('the process had ended before it was killed');
        return;
      }
      const closed = once(killed, 'close');
      killed.kill('SIGKILL');
      await closed;
    },
    async flush() {
      const flushing = child;
      if (flushing === undefined) throw new Error('The process is not running.');
      const closed = once(flushing, 'close');
      write('flush');
      const [code] = await closed as [number | null];
      if (code !== 0 || !isFlushed) trouble(`the process ended with ${String(code)}`);
    },
    async end() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
    isSending: () => isSending,
    unsafe: () => waiting.size,
    troubles,
  };
}
