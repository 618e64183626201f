import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const PRELOAD = join(import.meta.dirname, '..', '..', 'faults', 'preload', 'preload.ts');
const dirs: string[] = [];
afterAll(() => { for (const dir of dirs) rmSync(dir, { recursive: true }); });

/** Runs a program below the preload, once or more, and answers what it wrote of its ends. */
async function endsOf(program: string, times = 1): Promise<readonly unknown[]> {
  const dir = mkdtempSync(join(tmpdir(), 'rastro-ends-'));
  dirs.push(dir);
  writeFileSync(join(dir, 'clock'), '-3600000');
  for (let at = 0; at < times; at += 1) {
    const child = spawn(
      process.execPath, ['--import', PRELOAD, '--input-type=module', '-e', program],
      { cwd: dir, stdio: 'ignore' },
    );
    await once(child, 'exit');
  }
  const path = join(dir, 'ends.jsonl');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').trim().split('\n').map((line): unknown => JSON.parse(line));
}

describe('what a process writes of its own end', () => {
  it('is the first line of its error and the true time, in each life', async () => {
    const begunMs = Date.now();
    const ends = await endsOf(
      `process.stderr.write('Error: a defect at AbC/2/17\\n  at x\\n'); process.exit(1);`, 2,
    );
    expect(ends).toEqual([1, 1].map((code) => (
      { at_ms: expect.any(Number) as number, code, reason: 'Error: a defect at AbC/2/17' }
    )));
    expect((ends[0] as { at_ms: number }).at_ms).toBeGreaterThanOrEqual(begunMs);
  });

  it('is also written when an error was caught by none', async () => {
    expect(await endsOf(`Promise.reject(new TypeError('connect refused'))`))
      .toMatchObject([{ code: 1, reason: 'TypeError: connect refused' }]);
  });

  it.each([
    ['an ordered end', `process.exit(0)`],
    ['kill -9', `process.kill(process.pid, 'SIGKILL')`],
    ['a signal before it listens', `process.kill(process.pid, 'SIGTERM'); setInterval(() => 0, 1);`],
  ])('is nothing after %s', async (_, program) => {
    expect(await endsOf(program)).toEqual([]);
  });
});
