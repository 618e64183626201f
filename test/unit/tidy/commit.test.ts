import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitOf } from '../../../scripts/suite/commit.ts';

let dir: string;
const put = (name: string, text: string): void => { writeFileSync(join(dir, name), text); };

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rastro-commit-'));
  mkdirSync(join(dir, 'docs', 'reference'), { recursive: true });
  put('code.ts', '1');
  put('docs/reference/page.md', '1');
  for (const words of [['init', '-q'], ['add', '.'], [
    '-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'all: begin',
  ]]) execFileSync('git', words, { cwd: dir });
});
afterAll(() => { rmSync(dir, { recursive: true, force: true }); });

it('names the commit alone while only pages that commands write differ from it', () => {
  put('docs/reference/page.md', '2');
  expect(commitOf(dir)).toMatch(/^[0-9a-f]{8}$/);
});

it('says so when anything else differs', () => {
  put('code.ts', '2');
  expect(commitOf(dir)).toMatch(/^[0-9a-f]{8}-dirty$/);
});

it('knows none where there is no repository', () => {
  expect(commitOf(tmpdir())).toBe('unknown');
});
