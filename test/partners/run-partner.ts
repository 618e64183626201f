import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A partner in Python that runs, and where. */
export interface Partner {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const START_MS_MAX = 20_000;

/** Starts a partner and waits until it listens; throws one sentence where Python is missing. */
export async function runPartner(
  name: 'provider' | 'carrier', env: Readonly<Record<string, string>>,
): Promise<Partner> {
  await promisify(execFile)('python3', ['--version']).catch((error: unknown) => {
    throw new Error('The partners need python3 (3.7 or later) in PATH: install it, for instance by'
      + ' apt-get install python3.', { cause: error });
  });
  const child = spawn('python3', [join(import.meta.dirname, `${name}.py`)], {
    env: { PATH: process.env['PATH'] ?? '', PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const signal = AbortSignal.timeout(START_MS_MAX);
  const [line] = await Promise.race([
    once(lines, 'line', { signal }) as Promise<[string]>,
    ended.then(() => ['nothing: it ended']),
  ]);
  const url = /^listening on (http:\S+)$/.exec(line ?? '')?.[1];
  if (url === undefined) throw new Error(`${name}.py said ${line ?? ''}`);
  return {
    url,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
