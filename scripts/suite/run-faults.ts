import { spawn } from 'node:child_process';
import { talliedBy, type Tally } from './tally.ts';

/** What a run of the faults needs: where, the mark of its processes, how long at most. */
export interface FaultsOptions {
  readonly root: string;
  readonly mark: { readonly name: string; readonly value: string };
  readonly runMsMax: number;
}

/** Value of RASTRO_FAULTS that runs the short matrix, and the one that leaves it out in CI too. */
const SMOKE = 'smoke';
const NONE = 'none';

/**
 * True when the short matrix belongs to a run of all tests: where RASTRO_FAULTS says so, else in CI
 * (variable CI not empty). Throws on another word, so that a slip does not leave the faults out.
 */
export function wantsFaults(env: Readonly<Record<string, string | undefined>>): boolean {
  const wish = env['RASTRO_FAULTS'] ?? '';
  if (wish !== '' && wish !== SMOKE && wish !== NONE) {
    throw new Error(`RASTRO_FAULTS is ${SMOKE} or ${NONE}, not ${wish}.`);
  }
  return wish === '' ? (env['CI'] ?? '') !== '' : wish === SMOKE;
}

/**
 * Runs the short matrix of faults in a process of its own, its report going to our own output, and
 * counts from its last line. A run over its time is ended and counts as a failure.
 */
export function runFaults({ root, mark, runMsMax }: FaultsOptions): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['scripts/faults.ts', '--smoke'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, [mark.name]: mark.value },
    });
    let said = '';
    const end = (): void => void child.kill('SIGTERM');
    const timer = setTimeout(end, runMsMax);
    process.once('SIGTERM', end).once('SIGINT', end);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      process.stdout.write(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      process.off('SIGTERM', end).off('SIGINT', end);
      resolve(talliedBy(said, code));
    });
  });
}
