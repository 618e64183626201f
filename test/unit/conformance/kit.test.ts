import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../schemas/generated/catalog.ts';
import { ALL_CHECKS, checksOf } from '../../../services/conformance/all-checks.ts';
import { conformanceCommand } from '../../../services/cli/conformance/command.ts';
import { readOptions } from '../../../services/conformance/options.ts';
import { startWrongReceiver, type WrongReceiver } from '../../support/wrong-receiver.ts';
import { changeStatus, ON } from '../../support/wrong-receiver/mistake.ts';
import { KNOWN } from '../../support/wrong-receiver/receiver.ts';
import { examine } from './examine.ts';

const ROWS = resolve(import.meta.dirname, '../../../docs/contract-rows.md');
const env = {
  RASTRO_CLIENT_ID: KNOWN.clientId, RASTRO_CLIENT_SECRET: KNOWN.clientSecret,
  RASTRO_PROVIDER: KNOWN.provider, RASTRO_COUNTRY: KNOWN.country,
  RASTRO_PROVIDER_COMMAND_TOKEN: KNOWN.commandToken, RASTRO_FINAL_CODE: KNOWN.finalCode,
};

describe('the list of checks', () => {
  it('has no id twice, and names only rows that the contract has', () => {
    const ids = ALL_CHECKS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const known = new Set(readFileSync(ROWS, 'utf8').match(/\b[A-Z]+-\d\d\b/g));
    expect(ALL_CHECKS.flatMap(({ rows }) => rows).filter((row) => !known.has(row))).toEqual([]);
    expect(ALL_CHECKS.filter(({ rows }) => rows.length === 0)).toEqual([]);
  });
});

describe('rastro conformance', () => {
  let receiver: WrongReceiver;
  beforeAll(async () => { receiver = await startWrongReceiver(); });
  afterAll(() => receiver.close());
  const run = (role: string, ...more: string[]) =>
    conformanceCommand({ env }, [
      '--target', receiver.url, '--role', role, '--tokens-per-minute', '0', ...more,
    ]);

  it('calls all twelve endpoints, cancellation, the feed, and start and stop by entity', async () => {
    receiver.begin();
    for (const role of ['receiver', 'carrier', 'provider']) await run(role);
    const seen = new Set(receiver.asked().map(({ method, path }) => `${method} ${path}`));
    const missed = Object.values(OPERATIONS).filter(({ endpoint, method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
      return endpoint !== null && ![...seen].some((call) => pattern.test(call));
    });
    expect(missed.map(({ id }) => id)).toEqual([]);
    const endpoints = new Set(Object.values(OPERATIONS).map(({ endpoint }) => Number(endpoint)));
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter((each) => !endpoints.has(each)))
      .toEqual([]);
  }, 60_000);

  it('prints a line per check and ends with 0 when all pass', async () => {
    receiver.begin();
    const report = await run('receiver', '--only', 'token');
    expect(report.exitCode).toBe(0);
    expect(report.lines[0]).toBe('Generate token (2)');
    expect(report.lines[1])
      .toMatch(/^passed +token-issued +A token comes .*\[must TOK-01 TOK-02 GEN-13\]$/);
    expect(report.lines.at(-2)).toMatch(/, receiver, profile interface, 0 skipped:$/);
    expect(report.lines.at(-1)).toBe('8 passed, 0 failed, 0 advice');
  });

  it('ends with 1 and says what was asked and answered when one fails', async () => {
    receiver.begin(changeStatus(ON.token, 401, 200));
    const report = await run('receiver', '--only', 'token');
    expect(report.exitCode).toBe(1);
    expect(report.lines.join('\n')).toMatch(/failed +token-cred.*\n +POST \/oauth\/token answered 200/);
    expect(report.value).toMatchObject({ passed: 7, failed: 1, skipped: 0 });
  });

  it('ends with 3 and one sentence with the address when nothing takes a connection', async () => {
    const report = await conformanceCommand(
      { env }, ['--target', 'http://127.0.0.1:9', '--role', 'provider', '--only', 'command-t'],
    );
    expect(report.exitCode).toBe(3);
    expect(report.lines)
      .toEqual(['http://127.0.0.1:9 takes no connection within 3 s (ECONNREFUSED).']);
  });

  it('lists the checks of a role without sending anything', async () => {
    receiver.begin();
    const report = await run('carrier', '--list');
    const lines = report.lines.filter((line) => / (must|should) /.test(line));
    expect(lines).toHaveLength(checksOf('carrier').length);
    expect(receiver.asked()).toEqual([]);
  });

  it.each([
    [['--target', 'http://x'], /--role <role>' not specified/],
    [['--target', 'ftp://x', '--role', 'carrier'], /http address/],
    [['--target', 'http://x', '--role', 'driver'], /one of receiver, provider, carrier/],
    [['--target', 'http://x', '--role', 'carrier', '--profile', 'iso'], /interface, rastro/],
    [['--role', 'carrier', '--wings'], /wings/],
    [['--target', 'http://x', '--role', 'carrier', '--only', 'nothing'], /No check/],
  ])('ends with 2 and one sentence for %j', async (args, sentence) => {
    const report = await conformanceCommand({ env }, args);
    expect(report.exitCode).toBe(2);
    expect(report.lines[0]).toMatch(sentence);
  });

  it('needs credentials, except where a command token is enough', () => {
    const words = {
      target: 'http://x', profile: 'interface', only: '', list: false, deadline: 9, tokensPerMinute: 0,
    } as const;
    expect(readOptions({ ...words, role: 'receiver' }, {})).toMatch(/--client-id/);
    expect(readOptions({ ...words, role: 'provider' }, {})).toMatch(/--client-id/);
    expect(readOptions({ ...words, role: 'provider', commandToken: 't' }, {}))
      .toMatchObject({ commandToken: 't', provider: 'demo' });
  });

  it('takes the command token of a provider by client credentials where none is given', async () => {
    const check = checksOf('provider', 'command-stop-first')[0]!;
    const outcome = await examine(receiver, check, {}, { commandToken: undefined });
    expect(outcome.kind).toBe('failed');
    expect(receiver.asked().map(({ path }) => path)).toEqual(['/oauth/token', '/rtt/commands']);
  });
});

describe('what cannot be asked from outside', () => {
  let receiver: WrongReceiver;
  beforeAll(async () => { receiver = await startWrongReceiver(); });
  afterAll(() => receiver.close());
  const only = (id: string) => ALL_CHECKS.find((check) => check.id === id)!;
  const away = (path: RegExp) => ({
    changeAnswer: (answer: { status: number; body: unknown }, asked: { path: string }) =>
      path.test(asked.path) ? { status: 404, body: {} } : answer,
  });

  it.each([
    ['deferred-accepted', /^\/platform/, {}, /no command to answer/],
    ['push-after-final', /journey$/, {}, /no journey/],
    ['push-after-final', /^none/, { finalCode: undefined }, /--final-code/],
    ['feed-page', /tracking\/notifications$/, {}, /--tracking-number/],
  ])('is skipped with its reason: %s', async (id, path, change, reason) => {
    const outcome = await examine(receiver, only(id), away(path), change);
    expect(outcome).toMatchObject({ kind: 'skipped', reason: expect.stringMatching(reason) });
  });
});
