import { execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { childEnvironment } from '../child.ts';
import type { Log } from '../part.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..', '..');
const MAKE_MS_MAX = 600_000;

/** Where `npm run docs` keeps the site, and every copy of the platform finds it. */
export const DOCUMENTATION_DIR = resolve(ROOT_DIR, '.rastro', 'site');

/** The making of the documentation, beside everything else. */
export interface Making {
  /** Resolves when it ended, with or without success. */
  readonly ended: Promise<void>;
  stop(): void;
}

/**
 * Has the documentation made where it is not up to date, in a process that leaves the machine to
 * others. Without it everything runs; the packages for it are not there in production.
 */
export function makeDocumentation(
  log: Log, script: string = resolve(ROOT_DIR, 'scripts', 'docs.ts'),
): Making {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = new Promise<void>((done) => {
    const child = execFile(process.execPath, [script, '--out', DOCUMENTATION_DIR], {
      cwd: ROOT_DIR, env: childEnvironment(), timeout: MAKE_MS_MAX, signal,
    }, (error, _, stderr) => {
      if (error !== null && !signal.aborted && child.signalCode === null) {
        const reason = /Cannot find package '[^']+'/.exec(stderr)?.[0] ?? stderr.trim();
        log('warning', `the documentation was not made, /docs shows the interface alone: ${reason}`);
      }
      done();
    });
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  });
  return { ended, stop: () => { stopping.abort(); } };
}
