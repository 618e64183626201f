import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { HELP, misuse, USAGE } from '../../../services/cli/usage.ts';

function rastro(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath, ['services/cli/main.ts', ...args],
    { encoding: 'utf8', env: { PATH: process.env['PATH'] } },
  );
  return { status, stdout, stderr };
}

describe('the help of each command', () => {
  it.each(Object.entries(HELP))('of %s names it and says its exit codes', (name, text) => {
    expect(text.split('\n')[0]).toMatch(new RegExp(`^rastro ${name} `));
    expect(text.slice(text.lastIndexOf('Exit codes:')).replaceAll('\n', ' '))
      .toMatch(/^Exit codes: 0 .+, 1 .+, 2 wrong use\.$/);
    expect(USAGE).toContain(text.split('\n')[0]);
  });

  it('is printed without any part of the system, and as JSON', () => {
    expect(rastro('device', '--help')).toMatchObject({ status: 0, stdout: `${HELP['device'] ?? ''}\n` });
    const { stdout } = rastro('help', 'hot-keys', '--json');
    expect(JSON.parse(stdout)).toEqual({ usage: HELP['hot-keys'] });
  });
});

describe('wrong use', () => {
  it('ends with 2, says what is wrong and then how it is right, on standard error', () => {
    const { status, stdout, stderr } = rastro('conformance', '--nope');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('--nope');
    expect(stderr).toContain(HELP['conformance']);
    expect(rastro('nothing')).toMatchObject({ status: 2 });
  });

  it('is one JSON value where that was asked for', () => {
    const { status, stderr } = rastro('nothing', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stderr)).toEqual({ error: 'Unknown command nothing.' });
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
