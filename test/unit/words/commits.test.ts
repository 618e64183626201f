import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitGate } from '../../../scripts/check/words/commit-gate.ts';

let root = '';
let after = '';
const git = (cwd: string, ...args: string[]): string => execFileSync(
  'git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, encoding: 'utf8' },
).trim();
const commit = (subject: string): string => git(root, 'commit', '-q', '--allow-empty', '-m', subject);
const complaints = async (at: string): Promise<readonly string[]> => (
  (await commitGate().inspect(at)).complaints
);

function writeSettings(at: string, base: string, exempt: object = {}): void {
  mkdirSync(join(at, 'scripts/quality'), { recursive: true });
  const settings = { after: base, subjectCharactersMax: 72, exempt };
  writeFileSync(join(at, 'scripts/quality/commits.json'), JSON.stringify(settings));
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'rastro-commits-'));
  git(root, 'init', '-q', '-b', 'main');
  commit('Whatever was written before the rule');
  after = git(root, 'rev-parse', 'HEAD');
  writeSettings(root, after);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the gate of commit subjects', () => {
  it('fails when there is no commit to look at', async () => {
    expect(await commitGate().inspect(root)).toEqual({ seen: 0, complaints: [] });
  });

  it.each([
    ['no area', 'Rename the lane', 'write "area: imperative"'],
    ['a past tense', 'kafka: renamed the lane', '"renamed" is no imperative'],
    ['a gerund', 'kafka: renaming the lane', '"renaming" is no imperative'],
    ['too many characters', `kafka: ${'x'.repeat(66)}`, '73 characters, at most 72'],
  ])('catches %s', async (_, subject, complaint) => {
    commit(subject);
    expect(await complaints(root)).toEqual([expect.stringContaining(complaint)]);
    git(root, 'reset', '-q', '--hard', after);
    writeSettings(root, after);
  });

  it('lets a commit pass that the settings name', async () => {
    commit('wip');
    writeSettings(root, after, { [git(root, 'rev-parse', 'HEAD')]: 'because' });
    expect(await complaints(root)).toEqual([]);
    git(root, 'reset', '-q', '--hard', after);
    writeSettings(root, after);
  });

  it('lets right subjects and merges pass', async () => {
    commit('docs(bench): record 20k loc/s with 1M devices');
    commit(`kafka: ${'x'.repeat(65)}`);
    commit('tools: feed the fuzzer');
    git(root, 'switch', '-q', '-c', 'side', after);
    commit('edge: add a limit');
    git(root, 'merge', '-q', '--no-ff', '-m', 'merge: main into side', 'main');
    expect(await commitGate().inspect(root)).toEqual({ seen: 5, complaints: [] });
  });

  it('catches the message that git gives a merge by itself', async () => {
    git(root, 'switch', '-q', '-C', 'side', after);
    commit('edge: add a limit');
    git(root, 'merge', '-q', '--no-ff', '--no-edit', 'main');
    expect(await complaints(root)).toEqual([expect.stringContaining('write "area: imperative"')]);
  });

  it('says clearly when the history is shallow, or not there', async () => {
    const shallow = join(root, 'shallow');
    git(root, 'clone', '-q', '--depth', '1', `file://${root}`, shallow);
    writeSettings(shallow, after);
    expect(await complaints(shallow)).toEqual([expect.stringContaining('git fetch --unshallow')]);
    const bare = mkdtempSync(join(tmpdir(), 'rastro-no-git-'));
    writeSettings(bare, after);
    expect(await complaints(bare)).toEqual([expect.stringContaining('run the gate in a clone')]);
    rmSync(bare, { recursive: true });
  });
});
