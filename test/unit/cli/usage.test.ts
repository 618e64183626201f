import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { commandOf, wholeHelp } from '../../../services/adapters/command-line/command-line.ts';
import { rastro as definition } from '../../../services/cli/assemble-program.ts';
import { misuse } from '../../../services/cli/noun.ts';

const PROGRAM = commandOf(definition);
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
  it.each(LEAVES)('of %s names it, gives an example and says its exit codes', (words, command) => {
    const text = wholeHelp(command);
    expect(text.split('\n')[0]).toMatch(new RegExp(`^Usage: rastro ${words}( |$)`));
    expect(text).toMatch(new RegExp(`\nExample:\n  rastro ${words}( |\n)`));
    expect(text.slice(text.lastIndexOf('Exit codes:')).replaceAll('\n', ' '))
      .toMatch(/^Exit codes: 0 .+, 1 .+, 2 wrong use\.$/);
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
