import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installWithApt } from '../../../infra/local/tools.ts';
import { commandOf } from '../../../services/adapters/command-line/command-line.ts';
import { wholeRastro } from '../../../services/cli/assemble-program.ts';
import { completionScript } from '../../../services/cli/completion/scripts.ts';
import { completionsOf } from '../../../services/cli/completion/words.ts';

const COMPLETE_MS_MAX = 60_000;
const SHELLS = ['zsh', 'fish'] as const;
const LINES: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['rastro la', ['lag']],
  ['rastro dlq re', ['release', 'replay']],
  ['rastro --json dlq re', ['release', 'replay']],
  ['rastro lag --ma', ['--max-seconds']],
  ['rastro command cancel --rea', ['--reason']],
  ['rastro lag --group x --wat', ['--watch']],
];

/** Types a line and a tab into a zsh. */
const TYPE = join(import.meta.dirname, 'type-in-zsh.zsh');

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'rastro-shells-'));
  const has = (): boolean => SHELLS.every((each) => spawnSync(each, ['--version']).status === 0);
  const cacheDir = process.env['RASTRO_CACHE_DIR'] ?? join('.rastro', 'cache');
  const cache = { dir: cacheDir, log: () => undefined, waitMsMax: 300_000 };
  if (!has() && !(await installWithApt(cache, SHELLS) && has())) {
    throw new Error('The tests of completion need the shells zsh and fish: install both.');
  }
  const completions = completionsOf(commandOf(await wholeRastro()));
  for (const shell of SHELLS) {
    writeFileSync(join(dir, shell), completionScript(shell, completions));
  }
}, 600_000);
afterAll(() => { rmSync(dir, { recursive: true, force: true }); });

function called(shell: string, words: readonly string[], more: NodeJS.ProcessEnv): string {
  return execFileSync(shell, words, {
    encoding: 'utf8', timeout: COMPLETE_MS_MAX,
    env: { PATH: process.env['PATH'], HOME: dir, ...more },
  });
}

describe.each(LINES)('%j', (line, offered) => {
  it(`is completed by fish with ${offered.join(' or ')}`, () => {
    const shown = called('fish', ['--no-config', '-c', 'source $SCRIPT; complete -C $LINE'], {
      SCRIPT: join(dir, 'fish'), LINE: line,
    });
    expect(shown.trim().split('\n').toSorted()).toEqual(offered);
  }, COMPLETE_MS_MAX);

  it(`is completed by zsh with ${offered.join(' or ')}`, () => {
    // What is the only one is written out; of several, all are listed.
    const [only = '', another] = offered;
    const wanted = another === undefined
      ? `${line.slice(0, line.lastIndexOf(' '))} ${only} ` : offered.join('  ');
    expect(called('zsh', ['-df', TYPE], {
      SCRIPT: join(dir, 'zsh'), LINE: line, WANTED: wanted,
    })).toContain(wanted);
  }, COMPLETE_MS_MAX);
});
