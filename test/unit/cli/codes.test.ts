import { describe, expect, it } from 'vitest';
import sample from '../../../schemas/data/notification-codes.sample.json' with { type: 'json' };
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { codesCommand } from '../../../services/cli/codes/command.ts';
import type { Report } from '../../../services/cli/ports.ts';
import type { LogReader } from '../../../services/kernel/record-log.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';

const NOW_MS = 1_790_000_000_000;
const TOPIC = TOPICS.notificationCodes.name;
const schemas = loadSchemas();

/** The command over a log in memory, with files by their names. */
function env(files: Readonly<Record<string, unknown>>) {
  const log = fakeRecordLog();
  let nonce = 0;
  let nowMs = NOW_MS;
  const ports = {
    log, schemas,
    reader: {
      readToEnd: (...asked: Parameters<LogReader['readToEnd']>) => fakeLogReader(
        log.of(TOPIC).map(({ value }, offset) => aLogRecord(TOPIC, offset, value)),
      ).readToEnd(...asked),
    },
    clock: { nowMs: () => nowMs },
    ids: { nonce: () => `codes-${nonce += 1}` } as never,
    readFile: async (path: string) => {
      const file = files[path];
      return typeof file === 'string' || file === undefined ? file : JSON.stringify(file);
    },
  };
  return {
    facts: () => log.of(TOPIC).map(({ value }) => value),
    run: (...args: readonly string[]): Promise<Report> => codesCommand(ports, args),
    wait: (ms: number) => { nowMs += ms; },
  };
}

const agreed = { name: 'agreed', codes: { 'EX-DELIVERED': { status: 'delivered' }, X: {} } };

const CARRIER = '100000000000042';
const withOwn = (pairs: object): object => ({
  name: 'a', codes: { A: {} }, carriers: { [CARRIER]: pairs },
});
const wanting = (pointer: string): object => ({ name: 'a', codes: { A: { required: [pointer] } } });
const manyCodes = (count: number): object => Object.fromEntries(
  Array.from({ length: count }, (_, at) => [`C${at}`, { description: 'x'.repeat(2_000) }]),
);

describe('rastro codes', () => {
  it('[NOT-49] import records a version that holds after the lead, by the schema', async () => {
    const { run, facts } = env({ sample });
    const { exitCode, lines } = await run('import', 'sample');
    expect([exitCode, facts().length]).toEqual([0, 1]);
    expect(schemas.checkOf('NotificationCodesRecorded')(facts()[0])).toBeUndefined();
    expect(facts()[0]).toMatchObject({ valid_from_ms: NOW_MS + 10_000, at_ms: NOW_MS });
    expect(JSON.stringify(lines)).toContain('never use it in production');
  });

  it('import --if-none leaves a log with a version alone', async () => {
    const { run, facts } = env({ sample, agreed });
    await run('import', 'sample', '--lead', '0', '--if-none');
    expect((await run('import', 'agreed', '--if-none')).exitCode).toBe(0);
    expect(facts()).toHaveLength(1);
  });

  it.each([
    ['no JSON', '{', 'no JSON object'],
    ['a status out of form', { name: 'a', codes: { A: { status: 'Not A' } } }, '/codes/A/status'],
    ['an unknown member', { name: 'a', codes: { A: { colour: 1 } } }, '/codes/A'],
    ['an end that is not final', { name: 'a', codes: { A: { status: 'lost_or_destroyed', final: false } } },
      '/codes/A/final must be true'],
    ['a field that is sealed', { name: 'a', codes: { A: { required: ['/payload/driver/name'] } } },
      'must not name /payload/driver/name'],
    ['no codes', { name: 'a', codes: {} }, '/codes'],
    ['a code that is there twice', '{"name":"a","codes":{"A":{"final":true},"\\u0041":{}}}',
      '/codes/A is twice in the file'],
    ['an own code that is listed twice', withOwn({ A: ['1', '2', '1'] }),
      `/carriers/${CARRIER}/A/2 repeats 1.`],
    ['own codes of a code that it does not have', withOwn({ B: ['1'] }),
      `/carriers/${CARRIER}/B names a code that is not in /codes`],
    ['a field that no notification has', wanting('/payload/location/facilty'),
      '/codes/A/required/0 must not name /payload/location/facilty: no notification can match it. '
        + 'Possible are /payload/location/country_id'],
    ['a field below a text', wanting('/payload/reason/text'), '/codes/A/required/0 must not name'],
    ['a group of which all is sealed', wanting('/payload/agency'), 'no notification can match it'],
    ['more than a record takes', { name: 'a', codes: manyCodes(1_100) }, '/codes is too large'],
  ])('[NOT-49] import refuses %s and records nothing', async (_what, file, fault) => {
    const { run, facts } = env({ f: file });
    const { exitCode, lines } = await run('import', 'f');
    expect([exitCode, facts()]).toEqual([2, []]);
    expect(JSON.stringify(lines)).toContain(fault);
  });

  it.each([['import'], ['diff']])('%s ends with 3 where there is no file', async (verb) => {
    const { run, facts } = env({ f: undefined });
    expect(await run(verb, 'f')).toMatchObject({ exitCode: 3, lines: ['There is no file f.'] });
    expect(facts()).toEqual([]);
  });

  it.each(['2026-09-21T00:00:00Z', 'tomorrow'])('[NOT-49] refuses --valid-from %s', async (time) => {
    const { run, facts } = env({ agreed });
    expect((await run('import', 'agreed', '--valid-from', time)).exitCode).toBe(2);
    expect(facts()).toEqual([]);
  });

  it('ls and show say which version holds, diff what a file would change', async () => {
    const { run, wait } = env({ sample, agreed });
    await run('import', 'sample');
    wait(20_000);
    await run('import', 'agreed', '--valid-from', '2027-01-01T00:00Z');
    expect((await run('ls')).value).toMatchObject([
      { version: 0, state: '' }, { version: 1, name: 'sample-1', state: 'valid' },
      { version: 2, name: 'agreed', state: '', valid_from: '2027-01-01T00:00:00.000Z' },
    ]);
    expect(JSON.stringify((await run('show', 'EX-HUB')).lines)).toContain('in_transit');
    expect((await run('show', 'EX-HUB', '--of', '2')).exitCode).toBe(3);
    const { value } = await run('diff', 'agreed');
    expect(value).toContainEqual(
      { code: 'X', before: 'not known', after: 'no status' },
    );
    expect(value).toContainEqual(expect.objectContaining({ code: 'EX-LOST', after: 'not known' }));
  });

  it('[NOT-49] import takes groups of fields, own codes of codes of the interface, long remarks', async () => {
    const { run, facts } = env({ f: {
      name: 'a', about: 'x'.repeat(3_000_000),
      codes: { A: { required: ['/payload/location', '/payload/consolidated_packages/shipments'] } },
      carriers: { [CARRIER]: { A: ['1'], '0114': ['2'] } },
    } });
    expect((await run('import', 'f')).exitCode).toBe(0);
    expect(facts()).toHaveLength(1);
  });

  it('[NOT-49] import takes what just fits into a record, and the log would take it', async () => {
    const { run, facts } = env({ f: { name: 'a', codes: manyCodes(1_030) } });
    expect((await run('import', 'f')).exitCode).toBe(0);
    expect(JSON.stringify(facts()[0]).length).toBeLessThan(2_097_152 - 1_000);
  });

  it('show and diff say the own codes of carriers', async () => {
    const pairs = (own: object): object => ({ ...agreed, carriers: { [CARRIER]: own } });
    const { run, wait } = env({ one: pairs({ X: ['2', '1'] }), other: pairs({ X: ['1'] }), agreed });
    await run('import', 'one');
    wait(20_000);
    expect(JSON.stringify((await run('show', 'X')).lines)).toContain(`own codes of ${CARRIER}: 1 2`);
    expect((await run('show', 'X')).value).toMatchObject({ X: { carriers: { [CARRIER]: ['2', '1'] } } });
    expect(JSON.stringify((await run('show', 'EX-DELIVERED')).lines)).toContain('none');
    expect((await run('diff', 'one')).value).toEqual([]);
    expect((await run('diff', 'other')).value)
      .toEqual([{ code: 'X', carrier: CARRIER, before: '1 2', after: '1' }]);
    expect((await run('diff', 'agreed')).value).toEqual([
      { code: 'X', carrier: CARRIER, before: '1 2', after: 'not checked' },
      { code: '*', carrier: CARRIER, before: 'none', after: 'not checked' },
    ]);
  });
});
