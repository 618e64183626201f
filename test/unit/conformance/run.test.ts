import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformanceCommand } from '../../../services/cli/conformance/command.ts';
import { ALL_CHECKS, CHECK_GROUPS, checksOf } from '../../../services/conformance/all-checks.ts';
import { unreachable } from '../../../services/conformance/reach.ts';
import { startWrongReceiver, type WrongReceiver } from '../../support/wrong-receiver.ts';
import { KNOWN } from '../../support/wrong-receiver/receiver.ts';

describe('the levels and groups of the checks', () => {
  it('give each check a level, a row of the contract and one group', () => {
    for (const check of ALL_CHECKS) {
      expect(['must', 'should']).toContain(check.level);
      expect(check.rows.length).toBeGreaterThan(0);
      expect(CHECK_GROUPS.filter(({ checks }) => checks.includes(check))).toHaveLength(1);
    }
  });

  it.each(['receiver', 'provider', 'carrier'] as const)('part all checks of a %s', (role) => {
    const [must, should] = [checksOf(role, '', 'must'), checksOf(role, '', 'should')];
    expect(must.length).toBeGreaterThan(0);
    expect(should.length).toBeGreaterThan(0);
    expect(must.length + should.length).toBe(checksOf(role).length);
  });
});

describe('a run', () => {
  let receiver: WrongReceiver;
  let aheadMs = 0;
  const time = {
    clock: { nowMs: () => Date.now() + aheadMs },
    pause: async (milliseconds: number) => { aheadMs += milliseconds; },
  };
  beforeAll(async () => { receiver = await startWrongReceiver(); });
  afterAll(() => receiver.close());
  const run = (...more: string[]) => conformanceCommand(
    { env: { RASTRO_PROVIDER_COMMAND_TOKEN: KNOWN.commandToken }, time },
    ['--target', receiver.url, '--role', 'provider', ...more],
  );
  const busy = (times: number, retryAfter = '300') => {
    let answers = 0;
    return {
      changeAnswer: (answer: { status: number; body: unknown }) => {
        answers += 1;
        return answers > times ? answer
          : { status: 429, body: {}, headers: { 'retry-after': retryAfter } };
      },
    };
  };

  it('makes only the checks of its level', async () => {
    receiver.begin();
    const { value } = await run('--level', 'should');
    const { checks } = value as { checks: readonly { level: string; id: string }[] };
    expect(checks.map(({ id }) => id)).toEqual(['command-stop-first', 'command-error-body']);
  });

  it('passes a counterpart that is busy for a while, and says what it waited', async () => {
    receiver.begin(busy(2));
    const { exitCode, lines } = await run('--only', 'command-stop-first');
    expect(exitCode).toBe(0);
    expect(lines.at(-3)).toBe('Waited 600 s, after 2 answers of 429 and 0 of 500 or 503, and to stay'
      + ' below the limits.');
  });

  it('ends with 3 where it would wait beyond its deadline, and examines nothing more', async () => {
    receiver.begin(busy(99));
    const { exitCode, lines, value } = await run('--deadline', '299', '--only', 'command-');
    expect(exitCode).toBe(3);
    expect(lines.join('\n')).toMatch(
      /\nStopped: POST \/rtt\/commands answered 429: 300 s to wait, beyond the deadline of 299 s\.\n/,
    );
    expect(value).toMatchObject({ passed: 0, failed: 0, skipped: 10 });
    expect(receiver.asked()).toHaveLength(1);
  });

  it('ends with 1 where a must failed before the time was over', async () => {
    let answers = 0;
    receiver.begin({
      changeAnswer: (answer) => {
        answers += 1;
        return answers > 4 ? { status: 429, body: {} } : { ...answer, status: 202 };
      },
    });
    const { exitCode, value } = await run('--deadline', '9');
    expect(exitCode).toBe(1);
    expect(value).toMatchObject({ failed: 1, stopped: expect.stringContaining('answered 429') });
  });
});

describe('an address', () => {
  it('where nothing listens is named', async () => {
    expect(await unreachable('http://127.0.0.1:9'))
      .toBe('http://127.0.0.1:9 takes no connection within 3 s (ECONNREFUSED).');
  });

  it('that takes connections is reached; with TLS only where TLS answers, and in time', async () => {
    const silent = createServer((socket) => { socket.on('error', () => undefined).resume(); });
    await new Promise<void>((resolve) => { silent.listen(0, '127.0.0.1', resolve); });
    const { port } = silent.address() as AddressInfo;
    expect(await unreachable(`http://127.0.0.1:${port}`)).toBeUndefined();
    expect(await unreachable(`https://127.0.0.1:${port}`, 100)).toMatch(/within 0.1 s \(no answer\)/);
    await new Promise((resolve) => { silent.close(resolve); });
  });
});
