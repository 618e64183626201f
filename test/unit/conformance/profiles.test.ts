import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summary } from '../../../scripts/conformance/examine.ts';
import { conformanceCommand } from '../../../services/cli/conformance/command.ts';
import { ALL_CHECKS } from '../../../services/conformance/all-checks.ts';
import { ours, verify, type Check, type CheckOutcome } from '../../../services/conformance/check.ts';
import { countsOf, verdictOf } from '../../../services/conformance/profiles.ts';
import { startWrongReceiver, type WrongReceiver } from '../../support/wrong-receiver.ts';
import { changeHeader, changeStatus, ON } from '../../support/wrong-receiver/mistake.ts';
import { KNOWN } from '../../support/wrong-receiver/receiver.ts';

const env = { RASTRO_PROVIDER_COMMAND_TOKEN: KNOWN.commandToken, RASTRO_COUNTRY: KNOWN.country };

describe('a verdict', () => {
  const base = { id: 'x', rows: [], title: 'x', role: 'carrier', run: () => nothing } as const;
  const asked: Check = { ...base, level: 'must' };
  const chosen: Check = { ...base, level: 'should', remark: 'Do it so.' };
  const nothing = Promise.resolve(verify());
  const kinds = (check: Check, outcome: CheckOutcome) => [
    verdictOf({ check, outcome }, 'interface').kind, verdictOf({ check, outcome }, 'rastro').kind,
  ];

  it.each<[string, Check, CheckOutcome, string, string]>([
    ['what the interface asks for', asked, verify('wrong'), 'failed', 'failed'],
    ['a whole check of ours', chosen, verify('wrong'), 'advice', 'failed'],
    ['one assertion of ours', asked, verify(ours('Do it so.', 'other')), 'advice', 'failed'],
    ['both in one check', asked, verify('wrong', ours('Do it.', 'other')), 'failed', 'failed'],
    ['nothing', chosen, verify(undefined, ours('Do it.', undefined)), 'passed', 'passed'],
    ['what was not asked', chosen, { kind: 'skipped', reason: 'x' }, 'skipped', 'skipped'],
  ])('of %s', (_, check, outcome, byInterface, byUs) => {
    expect(kinds(check, outcome)).toEqual([byInterface, byUs]);
  });

  it('keeps the remark of an assertion, and gives that of its check to the others', () => {
    const outcome = verify('one', ours('Do that.', 'two'));
    const { failures, advice } = verdictOf({ check: chosen, outcome }, 'interface');
    expect(failures).toEqual([]);
    expect(advice).toEqual([
      { text: 'one', remark: 'Do it so.' }, { text: 'two', remark: 'Do that.' },
    ]);
  });

  it('does not take a stumble inside a check of ours for a failure of the interface', () => {
    const stumbled = { check: chosen, outcome: verify('POST /x got no answer') };
    expect(countsOf([stumbled], 'interface'))
      .toEqual({ passed: 0, failed: 0, skipped: 0, advised: 1 });
  });
});

describe('the levels of the checks', () => {
  it('are must only for rows that the interface has', () => {
    const text = readFileSync(resolve(import.meta.dirname, '../../../docs/contract-rows.md'), 'utf8');
    const sources = new Map([...text.matchAll(/^\| ([A-Z]+-\d+) \|.*\| ([^|]+) \|$/gm)]
      .map(([, id, from]) => [id, from]));
    const unfounded = ALL_CHECKS.filter(({ level, rows }) =>
      level === 'must' && rows.every((row) => sources.get(row) === 'decisions'));
    expect(sources.size).toBeGreaterThan(300);
    expect(unfounded.map(({ id }) => id)).toEqual([]);
  });

  it('are should for what the interface does not show', () => {
    const chosen = ALL_CHECKS.filter(({ level }) => level === 'should').map(({ id }) => id);
    for (const prefix of ['push-', 'feed-', 'cancel', 'entity-', 'notification-code-']) {
      const meant = ALL_CHECKS.filter(({ id }) => id.startsWith(prefix)).map(({ id }) => id);
      expect(meant.length).toBeGreaterThan(0);
      expect(chosen).toEqual(expect.arrayContaining(meant));
    }
    expect(chosen).toEqual(expect.arrayContaining([
      'command-error-body', 'rtt-error-body', 'rtt-client-id', 'authorization-token-answers',
    ]));
  });
});

describe('rastro conformance --profile', () => {
  let receiver: WrongReceiver;
  beforeAll(async () => { receiver = await startWrongReceiver(); });
  afterAll(() => receiver.close());
  const run = (...more: string[]) =>
    conformanceCommand({ env }, ['--target', receiver.url, '--role', 'provider', ...more]);

  it('gives advice and 0 to a provider whose errors are plain JSON without a challenge', async () => {
    receiver.begin(changeHeader(ON.commands, 'content-type', 'application/json'));
    const report = await run('--only', 'command-error-body');
    expect(report.exitCode).toBe(0);
    expect(report.value).toMatchObject({ failed: 0, advised: 1 });
    expect(report.lines.join('\n')).toMatch(
      /^advice {3}command-error-body.*\n +advice: Answer errors as application\/problem\+json/m,
    );
  });

  it('fails the same provider when our profile is asked for', async () => {
    receiver.begin(changeHeader(ON.commands, 'content-type', 'application/json'));
    const report = await run('--only', 'command-error-body', '--profile', 'rastro');
    expect(report.exitCode).toBe(1);
    expect(report.value).toMatchObject({ profile: 'rastro', failed: 1, advised: 0 });
  });

  it('fails what the interface asks for under both', async () => {
    for (const profile of ['interface', 'rastro']) {
      receiver.begin(changeStatus(ON.commands, 403, 401));
      const report = await run('--only', 'command-token', '--profile', profile);
      expect(report.exitCode).toBe(1);
    }
  });
});

describe('npm run conformance', () => {
  const good = { passed: 3, failed: 0, skipped: 0, advised: 0 };
  const exitCode = (
    interfaceCounts: object, ownCounts: object, isForeign: boolean,
    decides: readonly ('interface' | 'rastro')[],
  ) => summary(
    { interface: { ...good, ...interfaceCounts }, rastro: { ...good, ...ownCounts } },
    { decides, isForeign },
  ).exitCode;

  it('ends by both profiles for our own platform, and a skipped check is no proof there', () => {
    const both = ['interface', 'rastro'] as const;
    expect(exitCode({}, {}, false, both)).toBe(0);
    expect(exitCode({}, { failed: 1 }, false, both)).toBe(1);
    expect(exitCode({ skipped: 1 }, { skipped: 1 }, false, both)).toBe(1);
  });

  it('ends by the interface alone for another, who need not offer everything', () => {
    expect(exitCode({ advised: 9, skipped: 4 }, { failed: 9, skipped: 4 }, true, ['interface']))
      .toBe(0);
    expect(exitCode({ failed: 1 }, { failed: 1 }, true, ['interface'])).toBe(1);
    expect(exitCode({ passed: 0 }, { passed: 0 }, true, ['interface'])).toBe(1);
  });
});
