import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { PART_NAMES } from '../../../infra/local/part.ts';
import { isAlive, type ProcessIdentity } from '../../../infra/local/process-identity.ts';
import type { StackEnv } from '../../../infra/local/stack-env.ts';
import { startStack } from '../../../infra/local/stack.ts';
import { waitFor } from '../../../infra/local/wait.ts';
import { MARKS } from './marks.ts';

const ROOT_DIR = resolve(import.meta.dirname, '../../..');
const CACHE_DIR = process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache');
const ADDRESSES = ['KAFKA_BROKERS', 'REDIS_URL', 'CLICKHOUSE_URL', 'SCHEMA_REGISTRY_URL'];

it('takes its parts along when it is killed -9, and the next start finds all data', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-killed-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env: NodeJS.ProcessEnv = { ...process.env, RASTRO_CACHE_DIR: CACHE_DIR };
  for (const name of ADDRESSES) delete env[name];
  const script = [join(ROOT_DIR, 'scripts/stack.ts'), '--dir', dir, '--free-ports'];
  const launcher = spawn(process.execPath, script, { env, stdio: 'ignore' });
  onTestFinished(() => void launcher.kill('SIGKILL'));
  const envFile = join(dir, 'env');
  await waitFor(() => existsSync(envFile), {
    what: 'The start',
    deadlineMs: 90_000,
    hopeless: () => (launcher.exitCode === null ? undefined : 'the launcher has ended.'),
  });
  const first = parseEnv(readFileSync(envFile, 'utf8')) as unknown as StackEnv;
  await Promise.all(PART_NAMES.map((name) => MARKS[name].leave(first, `kept_${name}`)));
  const processes = PART_NAMES.map((name) => processOf(join(dir, 'data', name)));
  expect(processes.map(isAlive)).toEqual([true, true, true, true]);

  launcher.kill('SIGKILL');
  await waitFor(() => !processes.some(isAlive), { what: 'Their end', deadlineMs: 15_000 });

  const stack = await startStack({
    dataDir: join(dir, 'data'),
    cacheDir: CACHE_DIR,
    ports: 'free',
    env: {},
    log: () => {},
  });
  onTestFinished(() => stack.stop());
  const found = PART_NAMES.map((name) => MARKS[name].read(stack.env, `kept_${name}`));
  expect(await Promise.all(found)).toEqual(PART_NAMES.map((name) => `kept_${name}`));
}, 120_000);

function processOf(dir: string): ProcessIdentity {
  return JSON.parse(readFileSync(join(dir, 'process.json'), 'utf8')) as ProcessIdentity;
}
