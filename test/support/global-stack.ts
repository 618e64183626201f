import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Log } from '../../infra/local/part.ts';
import { startStack } from '../../infra/local/stack.ts';
import './stack.ts';

const ROOT_DIR = resolve(import.meta.dirname, '..', '..');
const LEVELS_WITHOUT_STACK = ['unit', 'property', 'contract', 'regressions'];

/**
 * Vitest's global setup: brings the stack once per run, before any worker, and hands its addresses
 * to `stackEnv()`. Its data is in a temporary directory and goes with the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!needsStack(process.env, process.argv.slice(2))) {
    project.provide('stackEnv', null);
    return async () => {};
  }
  if (process.env['RASTRO_TESTCONTAINERS'] === '1') {
    const { startContainers } = await import('./containers.ts');
    const containers = await startContainers();
    project.provide('stackEnv', containers.env);
    return containers.stop;
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'rastro-test-'));
  const removeData = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    const stack = await startStack({
      dataDir,
      cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
      ports: 'free',
      clickhouseDatabases: ['tracking', 'test_*'],
      log: printLine,
    });
    project.provide('stackEnv', stack.env);
    return async () => {
      await stack.stop();
      removeData();
    };
  } catch (error) {
    removeData();
    throw error;
  }
}

/** False when only levels that use no real part were asked for, by variable or by file names. */
function needsStack(env: NodeJS.ProcessEnv, args: readonly string[]): boolean {
  if (LEVELS_WITHOUT_STACK.includes(env['RASTRO_TEST_LEVEL'] ?? '')) return false;
  const files = args.filter((arg) => /(^|\/)test\/\w+\/|\.test\.ts$/.test(arg));
  const isWithout = (file: string): boolean =>
    LEVELS_WITHOUT_STACK.some((level) => file.includes(`test/${level}`));
  return files.length === 0 || !files.every(isWithout);
}

const printLine: Log = (grade, line) => {
  process.stderr.write(`stack: ${grade === 'warning' ? 'warning: ' : ''}${line}\n`);
};
