import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };

/**
 * Programs that `npm run` starts, by their names there; `rastro` has tests of its own, and what
 * calls several programs is none.
 */
const PROGRAMS = Object.entries(packageJson.scripts)
  .filter(([, words]) => !words.includes('&&'))
  .map(([name, words]) => [name, words.split(' ').at(-1) ?? ''] as const)
  .filter(([name]) => name !== 'rastro');

/** These bring nothing but themselves, so that calling them is quick. */
const QUICK = PROGRAMS.filter(([name]) => ['check', 'topics'].includes(name));

function run(file: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath, [file, ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  return { status, stdout, stderr };
}

describe('every program that npm starts', () => {
  it.each(PROGRAMS)('%s is read by the one parser, with an example', (_name, file) => {
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/command-line\/run-script\.ts/);
    expect(text).toMatch(/Exit codes: 0 /);
  });

  it('is an entry of at most 100 lines that leaves the work to its parts', () => {
    const long = readdirSync('scripts').filter((name) => name.endsWith('.ts'))
      .filter((name) => readFileSync(`scripts/${name}`, 'utf8').split('\n').length > 101);
    expect(long).toEqual([]);
  });
});

describe('wrong use of a script', () => {
  it.each(QUICK)('of %s ends with 2, says what is wrong and how it is right', (_name, file) => {
    const { status, stdout, stderr } = run(file, '--wings');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^Unknown option '--wings'\.\n\nUsage: npm run /);
  });

  it('of a slower pace beside mutants, which only the usual calls can notice, is refused', () => {
    const { status, stderr } = run('scripts/hostile.ts', '--mutants', '--pace', '40');
    expect(status).toBe(2);
    expect(stderr).toMatch(/'--pace <percent>' cannot be used with option '--mutants'/);
  });

  it.each(QUICK)('is none where the help of %s is asked for', (_name, file) => {
    const { status, stdout } = run(file, '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/\nExample:\n {2}npm run .+\n\nExit codes: 0 /);
  });
});
