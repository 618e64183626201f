import { mkdtempSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PART_NAMES } from '../../../infra/local/part.ts';
import { identify } from '../../../infra/local/process-identity.ts';
import { startStack, type Stack, type StackOptions } from '../../../infra/local/stack.ts';
import { MARKS } from './marks.ts';

const ROOT_DIR = resolve(import.meta.dirname, '../../..');
const dataDir = mkdtempSync(join(tmpdir(), 'rastro-supervision-'));
const warnings: string[] = [];
const options: StackOptions = {
  dataDir,
  cacheDir: process.env['RASTRO_CACHE_DIR'] ?? join(ROOT_DIR, '.rastro', 'cache'),
  ports: 'free',
  env: {},
  log: (grade, line) => {
    if (grade === 'warning') warnings.push(line);
  },
};
let stack: Stack;

beforeAll(async () => {
  stack = await startStack(options);
}, 120_000);

afterAll(async () => {
  await stack.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('a part of the local stack', () => {
  it.concurrent.each(PART_NAMES)('comes back with its data after kill -9: %s', async (name) => {
    const part = stack.parts[name]!;
    const mark = `mark_${name}`;
    await MARKS[name].leave(stack.env, mark);
    const pidBefore = part.pid();

    await part.kill();
    await part.ready();

    expect(part.pid()).not.toBe(pidBefore);
    expect(await MARKS[name].read(stack.env, mark)).toBe(mark);
    expect(warnings.join('\n')).toContain(`${name} ended with SIGKILL unexpectedly`);
  }, 60_000);
});

describe('a running stack', () => {
  it('answers callers first: the tables come behind the log and the state', () => {
    const niceOf = (name: 'clickhouse' | 'kafka' | 'redis'): number => (
      getPriority(stack.parts[name]!.pid())
    );
    expect(niceOf('kafka')).toBe(getPriority());
    expect(niceOf('redis')).toBe(getPriority());
    expect(niceOf('clickhouse')).toBeGreaterThan(getPriority());
  });

  it('refuses a second start on its directory and names the process that runs', async () => {
    const second = startStack(options);
    await expect(second).rejects.toThrow(`already runs on ${dataDir} (process ${process.pid})`);
  });

  it('refuses to use a part that is named but does not answer', async () => {
    const dir = join(dataDir, 'named');
    const env = { REDIS_URL: 'redis://user:secret@127.0.0.1:1' };
    const start = startStack({ ...options, dataDir: dir, parts: ['redis'], env });
    await expect(start).rejects.toThrow('REDIS_URL names redis://127.0.0.1:1, but no redis answers');
  });

  it('stops within ten seconds and leaves no process', async () => {
    const pids = PART_NAMES.map((name) => stack.parts[name]!.pid()!);
    const startedAt = performance.now();
    await stack.stop();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(pids.map((pid) => identify(pid))).toEqual(pids.map(() => undefined));
  });
});
