import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A script that says when it is ready and which signals reach it, and ends at the first. */
const PROBE = `
for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => {
  process.stdout.write(name + '\\n');
  process.exit(7);
});
setInterval(() => {}, 1_000);
process.stdout.write('ready\\n');
`;
/** Makes a process believe that its input is a terminal. */
const AS_TERMINAL = '--import=data:text/javascript,process.stdin.isTTY=true';

/** Makes a process believe that it is an older Node on another system. */
const AS_OLD_MAC = `--import=data:text/javascript,${encodeURIComponent(`
  const set = (name, value) => Object.defineProperty(process, name, { value });
  set('platform', 'darwin');
  set('versions', { ...process.versions, node: '20.1.0' });
`)}`;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'rastro-bootstrap-'));
  writeFileSync(join(dir, 'probe.mjs'), PROBE);
});
afterAll(() => { rmSync(dir, { recursive: true, force: true }); });

/** Runs a command of package.json as npm does, with the probe as its script, and interrupts it. */
async function interrupted(name: string, script: string, nodeOptions = '') {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const line = scripts[name]?.replace(script, relative('.', join(dir, 'probe.mjs'))) ?? '';
  expect(line).toContain('probe.mjs');
  const shell = spawn('sh', ['-c', line], {
    stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: nodeOptions },
  });
  const ended = new Promise((resolve) => { shell.once('exit', resolve); });
  let output = '';
  for await (const chunk of shell.stdout) {
    const isReady = output === '';
    output += String(chunk);
    if (isReady) shell.kill('SIGINT');
  }
  return { output, code: await ended };
}

describe('a signal to the process that npm starts', () => {
  it.each([
    ['start', 'scripts/start.ts'], ['stack', 'scripts/stack.ts'],
  ])('reaches the script of npm run %s, which ends as it likes', async (name, script) => {
    expect(await interrupted(name, script)).toEqual({ output: 'ready\nSIGINT\n', code: 7 });
  }, 60_000);

  it('reaches it at a terminal too, by a signal that Ctrl-C does not send', async () => {
    expect(await interrupted('start', 'scripts/start.ts', AS_TERMINAL))
      .toEqual({ output: 'ready\nSIGTERM\n', code: 7 });
  }, 60_000);
});

describe('bringing the packages', () => {
  it('says one line, and nothing of packages that want another Node', () => {
    const own = join(dir, 'first');
    mkdirSync(join(own, 'scripts'), { recursive: true });
    cpSync('scripts/bootstrap.mjs', join(own, 'scripts', 'bootstrap.mjs'));
    cpSync('.npmrc', join(own, '.npmrc'));
    writeFileSync(join(own, 'probe.mjs'), `process.stdout.write('ready\\n');`);
    writeFileSync(join(own, 'package.json'), JSON.stringify({
      name: 'first', version: '1.0.0', dependencies: { newer: 'file:newer' },
    }));
    mkdirSync(join(own, 'newer'));
    const newer = { name: 'newer', version: '1.0.0', engines: { node: '>=999' } };
    writeFileSync(join(own, 'newer', 'package.json'), JSON.stringify(newer));
    writeFileSync(join(own, 'package-lock.json'), JSON.stringify({
      name: 'first', version: '1.0.0', lockfileVersion: 3, requires: true,
      packages: {
        '': { name: 'first', version: '1.0.0', dependencies: { newer: 'file:newer' } },
        'newer': { version: '1.0.0', engines: newer.engines },
        'node_modules/newer': { resolved: 'newer', link: true },
      },
    }));
    const { NODE_OPTIONS: _, ...env } = process.env;
    const started = spawnSync(
      process.execPath, [join(own, 'scripts', 'bootstrap.mjs'), 'probe.mjs'], { encoding: 'utf8', env },
    );
    expect(started).toMatchObject({
      status: 0, stdout: 'ready\n',
      stderr: 'Installing the packages of package-lock.json (once) …\n',
    });
  }, 60_000);
});

describe('a machine for which the lockfile has no Node', () => {
  it('with an older one hears so before anything is brought', () => {
    const own = join(dir, 'mac', 'scripts');
    mkdirSync(own, { recursive: true });
    cpSync('scripts/bootstrap.mjs', join(own, 'bootstrap.mjs'));
    const { status, stderr } = spawnSync(
      process.execPath, [AS_OLD_MAC, join(own, 'bootstrap.mjs'), 'probe.mjs'], { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual(
      [1, 'Node 24 or later is needed here: the lockfile brings one only for Linux x64.\n'],
    );
    expect(existsSync(join(dir, 'mac', '.rastro'))).toBe(false);
  });
});
