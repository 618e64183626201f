import { spawn } from 'node:child_process';
import { bringMsOf, whyNotBrought, type Rehearsal, type RehearsalEnd } from './rehearsals.ts';
import { talliedBy, type Tally } from './tally.ts';

/** What rehearsals need: where, the mark of their processes, and when all must be over. */
export interface RehearsalsOptions {
  readonly root: string;
  readonly mark: { readonly name: string; readonly value: string };
  /** A moment of `performance.now()`. */
  readonly endMs: number;
  /** Aborted by a signal that asks for an end: what follows is left out. */
  readonly leaving: AbortSignal;
}

interface Ended {
  readonly said: string;
  readonly code: number | null;
  readonly isLate: boolean;
}

const END_GRACE_MS_MAX = 30_000;
const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0 };

/**
 * Plays rehearsals one after the other, each as far as it can still be brought and played. What
 * cannot be brought is left out and says why; one that runs over its time failed. A signal ends the
 * one that runs, and nothing follows it.
 */
export async function runRehearsals(
  rehearsals: readonly Rehearsal[], options: RehearsalsOptions,
): Promise<readonly RehearsalEnd[]> {
  const ends: RehearsalEnd[] = [];
  for (const rehearsal of rehearsals) {
    if (options.leaving.aborted) break;
    ends.push(await rehearse(rehearsal, options));
  }
  return ends;
}

async function rehearse(rehearsal: Rehearsal, options: RehearsalsOptions): Promise<RehearsalEnd> {
  const { name, words, playMsMax } = rehearsal;
  const beganMs = performance.now();
  const ended = (tally: Tally, why: { readonly leftOut?: string } = {}): RehearsalEnd => (
    { name, ...tally, tookMs: performance.now() - beganMs, ...why });
  const bringMs = bringMsOf(rehearsal, options.endMs - beganMs);
  const brought = await node([...words, '--bring'], options, bringMs);
  if (options.leaving.aborted) return ended(NOTHING, { leftOut: 'a signal ended the run' });
  if (brought.isLate || brought.code !== 0) {
    return ended(NOTHING, { leftOut: whyNotBrought(brought.said, brought.isLate, bringMs) });
  }
  const played = await node(words, options, playMsMax);
  return ended(talliedBy(played.said, played.isLate ? null : played.code));
}

/** Runs a script with all its children in a group of its own, which ends when time is over. */
function node(
  words: readonly string[], { root, mark }: RehearsalsOptions, msMax: number,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (msMax <= 0) {
      resolve({ said: '', code: null, isLate: true });
      return;
    }
    const child = spawn(process.execPath, words, {
      cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, [mark.name]: mark.value },
    });
    let said = '';
    let isLate = false;
    let killing: NodeJS.Timeout | undefined;
    const end = (): void => {
      signalGroup(child.pid, 'SIGTERM');
      killing ??= setTimeout(() => { signalGroup(child.pid, 'SIGKILL'); }, END_GRACE_MS_MAX);
    };
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, msMax);
    process.once('SIGTERM', end).once('SIGINT', end);
    const streams = [[child.stdout, process.stdout], [child.stderr, process.stderr]] as const;
    for (const [from, to] of streams) {
      from.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        to.write(chunk);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      clearTimeout(killing);
      process.off('SIGTERM', end).off('SIGINT', end);
      resolve({ said, code, isLate });
    });
  });
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All of it ended meanwhile.
  }
}
