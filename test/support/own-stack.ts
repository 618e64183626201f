import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PartName } from '../../infra/local/part.ts';
import { startStack } from '../../infra/local/stack.ts';
import type { StackEnv } from '../../infra/local/stack-env.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');

/** Parts of one test file alone, with the users that the local stack gives the services. */
export interface OwnStack {
  readonly env: StackEnv;
  close(): Promise<void>;
}

/** Starts the named parts in a directory that goes with them. */
export async function startOwnStack(parts: readonly PartName[]): Promise<OwnStack> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-own-'));
  const stack = await startStack({
    dataDir: dir,
    cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
    ports: 'free', parts, env: {}, log: () => undefined,
  });
  return {
    env: stack.env,
    close: async () => {
      await stack.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
