import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandOf, wholeHelp } from '../../../services/adapters/command-line/command-line.ts';
import { wholeRastro } from '../../../services/cli/assemble-program.ts';
import { misuse, notFound } from '../../../services/cli/noun.ts';
import { OF_EVERY_COMMAND } from '../../../services/cli/print/display.ts';

const PROGRAM = commandOf(await wholeRastro());
const NAMES = PROGRAM.commands.map((command) => command.name());

/** Every command that does something, with the words that name it. */
const LEAVES = PROGRAM.commands.flatMap((command) => (command.commands.length === 0
  ? [[command.name(), command] as const]
  : command.commands.map((each) => [`${command.name()} ${each.name()}`, each] as const)));

const helpOf = (name: string): string => wholeHelp(PROGRAM.commands.find((each) => (
  each.name() === name
))!);

function rastro(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath, ['services/cli/main.ts', ...args],
    { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  return { status, stdout, stderr };
}

describe('the help of each command', () => {
  it.each(LEAVES)('of %s names it, gives an example, says its exit codes and where more options are', (words, command) => {
    const text = wholeHelp(command);
    expect(text.split('\n')[0]).toMatch(new RegExp(`^Usage: rastro ${words}( |$)`));
    expect(text).toMatch(new RegExp(`\nExample:\n  rastro ${words}( |\n)`));
    expect(text.slice(text.lastIndexOf('Exit codes:')).replaceAll('\n', ' '))
      .toMatch(/^Exit codes: 0 .+, 1 .+, 2 wrong use(, 3 (not found|could not run .+))?\.$/);
    expect(text).toMatch(/^ {2}--json +one JSON value \(.*--utc[^)]*rastro --help\)$/m);
  });

  it('has the options of every command in a group of their own', () => {
    const { stdout } = rastro('--help');
    const [, group = ''] = /Options of every command:\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    expect(group.match(/^ {2}--\w+/gm)).toEqual(OF_EVERY_COMMAND.map((option) => `  ${option}`));
  });

  it.each([
    [['help', 'command', 'cancel']], [['command', 'help', 'cancel']], [['command', 'cancel', '-h']],
  ])('is that of the command that %j names', (words) => {
    const { status, stdout } = rastro(...words);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: rastro command cancel /);
  });

  it('names commands below a command with their words, and no "[options]"', () => {
    expect(helpOf('client')).toMatch(/^ {2}retire <id> <secret-id> {2}Retires/m);
    expect(rastro('client', '--help').stdout).not.toMatch(/^ {2}\S.*\[options\]/m);
  });

  it('lists every command, and every verb below its noun', () => {
    const { status, stdout } = rastro('--help');
    expect(status).toBe(0);
    for (const name of NAMES) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    for (const verb of ['ls', 'show', 'replay', 'release', 'discard']) {
      expect(helpOf('dlq')).toMatch(new RegExp(`^  ${verb} `, 'm'));
    }
  });

  it('is printed without any part of the system, and as JSON', () => {
    expect(rastro('device', '--help')).toMatchObject({ status: 0, stdout: `${helpOf('device')}\n` });
    const { stdout } = rastro('help', 'hot-keys', '--json');
    expect(JSON.parse(stdout)).toEqual({ usage: helpOf('hot-keys') });
  });
});

describe('wrong use', () => {
  it('ends with 2, says what is wrong and then how it is right, on standard error', () => {
    const { status, stdout, stderr } = rastro('conformance', '--role', 'carrier', '--nope');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('--nope');
    expect(stderr).toContain(helpOf('conformance'));
    expect(rastro('nothing')).toMatchObject({ status: 2 });
  });

  it('is one JSON value where that was asked for', () => {
    const { status, stderr } = rastro('nothing', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stderr)).toEqual({ error: "Unknown command 'nothing'." });
    expect(misuse('x')).toMatchObject({ exitCode: 2 });
    expect(notFound('x')).toMatchObject({ exitCode: 3, value: { error: 'x' } });
  });

  it.each([
    [['lgg'], 'Did you mean lag?', 'See rastro --help.'],
    [['client', 'lst'], 'Did you mean list?', 'See rastro client --help.'],
    [['lag', '--max-secnds', '3'], 'Did you mean --max-seconds?', 'Usage: rastro lag'],
    [['lag', '--jsn'], 'Did you mean --json?', 'Usage: rastro lag'],
    [['topics', '--epcoh'], 'Did you mean --epoch?', 'Usage: rastro topics'],
    [['help', 'clint'], 'Did you mean client?', 'See rastro --help.'],
    [['help', 'client', 'ad'], 'Did you mean add?', 'See rastro client --help.'],
  ])('of %j says which word was meant, and where the help is', (words, meant, help) => {
    const { status, stderr } = rastro(...words);
    expect(status).toBe(2);
    expect(stderr).toContain(meant);
    expect(stderr).toContain(help);
    expect(stderr.split('\n').length).toBeLessThan(20);
  });

  it.each([
    [['client', 'add', '--name', 'A', '--scope', 'rtt:device'], 'did you mean rtt:devices?'],
    [['client', 'add', '--name', 'A', '--scope', 'all'], 'one of rtt:devices, rtt:locations,'],
    [['client', 'set', '1', '--audience', 'rrt'], "'rrt' must be one of authorizations, tracking-pull,"],
    [['client', 'add', '--name', 'A', '--provider', 'acme,Big Corp'], "'Big Corp' is no name of a provider"],
    [['party', 'add', '--kind', 'provder'], 'did you mean provider?'],
    [['party', 'set', 'p-1', '--auth', 'static-token'], 'one of static, client-credentials'],
    [['party', 'set', 'p-1', '--provider', '_x'], "'_x' is no name of a provider"],
    [['export', '--format', 'paquet'], 'did you mean parquet?'],
  ])('of %j names the words that there are, before anything is opened', (words, meant) => {
    const { status, stderr } = rastro(...words);
    expect(stderr.split('\n')[0]).toContain(meant);
    expect(stderr.split('\n')[0]).not.toMatch(/[[\\^$]/);
    expect(status).toBe(2);
  });

  it('names all scopes and audiences in the help of a new client', () => {
    const { stdout } = rastro('client', 'add', '--help');
    for (const shape of ['scope', 'audience']) {
      const { enum: words } = JSON.parse(readFileSync(`schemas/shapes/${shape}.json`, 'utf8')) as {
        readonly enum: readonly string[];
      };
      const named = new RegExp(`--${shape} <names> ([\\s\\S]*?)\n +--`).exec(stdout)?.[1] ?? '';
      expect(named.replaceAll(/\s+/g, ' ')).toContain(words.join(', '));
    }
  });

  it.each([[['rebuild', 'nothing']], [['rebuild', 'redis', '--nope']]])('is %j too', (args) => {
    const { status, stdout, stderr } = rastro(...args, '--json');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(JSON.parse(stderr)).toHaveProperty('error');
  });

  it('is not what a missing setting is', () => {
    const { status, stderr } = rastro('topics', '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining('KAFKA_BROKERS') });
  });
});

describe('the program', () => {
  const FROM = /^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'/gms;

  /** Every file that is loaded before a command is known. */
  function loadedAtStart(file: string, seen = new Set<string>()): ReadonlySet<string> {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(FROM)) {
      loadedAtStart(join(dirname(file), path), seen);
    }
    return seen;
  }

  it('loads no client of any store for help, so that it comes at once', () => {
    const files = [...loadedAtStart('services/cli/main.ts')];
    expect(files).toContain('services/cli/assemble-commands.ts');
    expect(files.filter((file) => /adapters\/(?!command-line|system\/os-user)/.test(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith('command.ts') && !file.includes('adapters'))
      .filter((file) => !file.includes('record-command') && !file.includes('named-command'))).toEqual([]);
  });

  it('is the bin of the package, which says its version', () => {
    const { bin, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly bin: { readonly rastro: string }; readonly version: string;
    };
    const { status, stdout } = spawnSync(bin.rastro, ['--version'], {
      encoding: 'utf8', env: { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${version}\n` });
    expect(rastro('version')).toMatchObject({ status: 0, stdout: `${version}\n` });
  });
});
