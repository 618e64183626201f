import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildOnce, type Cache } from '../../../infra/local/cache.ts';
import { credentialsOf } from '../../../infra/local/credentials.ts';
import { writeEnvFile } from '../../../infra/local/env-file.ts';
import { tryLock } from '../../../infra/local/lock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rastro-files-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the download cache', () => {
  const cacheIn = (cacheDir: string): Cache => ({ dir: cacheDir, log: () => {}, waitMsMax: 5_000 });

  it('builds once when several ask at once', async () => {
    let builds = 0;
    const build = async (draft: string): Promise<void> => {
      builds += 1;
      writeFileSync(join(draft, 'file'), 'whole');
    };
    const ask = () => buildOnce(cacheIn(dir), 'thing', 'thing', build);
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(answers)).toEqual(new Set([join(dir, 'thing')]));
    expect(builds).toBe(1);
  });

  it('keeps nothing of a build that failed', async () => {
    const build = async (draft: string): Promise<void> => {
      writeFileSync(join(draft, 'file'), 'half');
      throw new Error('no network');
    };
    await expect(buildOnce(cacheIn(dir), 'thing', 'thing', build)).rejects.toThrow('no network');
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('a lock file', () => {
  it('has one holder, and is free again after its release', () => {
    const path = join(dir, 'lock');
    const first = tryLock(path);
    expect(tryLock(path)).toMatchObject({ held: false, holder: { pid: process.pid } });
    if (first.held) first.release();
    expect(tryLock(path).held).toBe(true);
  });

  it('is taken over from a process that has ended, even if its id is in use again', () => {
    const path = join(dir, 'lock');
    writeFileSync(path, JSON.stringify({ pid: process.pid, startTicks: '1' }));
    expect(tryLock(path).held).toBe(true);
    expect(readdirSync(dir)).toEqual(['lock']);
  });
});

describe('the env file', () => {
  it('gives a shell exactly the values, and only its owner may read it', () => {
    const path = join(dir, 'deep', 'env');
    const value = `it's "$HOME" \\ \`id\` é`;
    writeEnvFile(path, { RASTRO_VALUE: value });
    const script = `set -a; . '${path}'; printf %s "$RASTRO_VALUE"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(value);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('the passwords of a data directory', () => {
  it('are made once, differ from directory to directory, and belong to their owner', () => {
    const path = join(dir, 'one', 'credentials.json');
    const first = credentialsOf(path);
    expect(credentialsOf(path)).toEqual(first);
    const other = credentialsOf(join(dir, 'two', 'credentials.json'));
    const all = [...Object.values(first), ...Object.values(other)];
    expect(new Set(all).size).toBe(12);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.${process.pid}`)).toBe(false);
  });

  it('gain the users of a newer release, and keep the others', () => {
    const path = join(dir, 'three', 'credentials.json');
    const { history, ...older } = credentialsOf(path);
    writeFileSync(path, JSON.stringify(older));
    const newer = credentialsOf(path);
    expect(newer).toMatchObject(older);
    expect(newer.history).toMatch(/^[\w-]{32}$/);
    expect(newer.history).not.toBe(history);
    expect(credentialsOf(path)).toEqual(newer);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
