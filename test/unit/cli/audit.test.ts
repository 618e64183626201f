import { describe, expect, it } from 'vitest';
import {
  commandOf, parseCommandLine, type Define,
} from '../../../services/adapters/command-line/command-line.ts';
import { pathOf, runnableCommands } from '../../../services/adapters/command-line/named-command.ts';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { wholeRastro } from '../../../services/cli/assemble-program.ts';
import { auditCommand } from '../../../services/cli/audit/command.ts';
import { addAuditOptions, createWriteAudit } from '../../../services/cli/audit/record-command.ts';
import { AUDIT_RULES } from '../../../services/cli/audit/rules.ts';
import { auditedSubject } from '../../../services/operator/audit/subjects.ts';
import type { Report } from '../../../services/cli/ports.ts';
import { within, type CommandEnv } from '../../../services/cli/within.ts';
import type { CommandAudited } from '../../../schemas/generated/types.ts';
import { fakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord, fakeLogReader } from '../../support/fake-log-reader.ts';

const NOW_MS = 1_764_000_000_000;
const CANARY = 'Ana Souza';
const CLIENT = '100000000000042';
const DEVICE = '0198c0de-0000-7000-8000-000000000001';
const secrets = keyedSecrets('pepper');
const program = commandOf(await wholeRastro());
const paths = runnableCommands(program).map(pathOf);

/** Commands that are not audited: each was reviewed, and its row says why. */
const REVIEWED = [
  'archive', 'audit', 'backup', 'capacity', 'completion', 'conformance', 'consumer add', 'consumer topics',
  'drain', 'export', 'hot-keys', 'lag',
  'rebuild clickhouse', 'rebuild redis', 'topics', 'verify',
];

const done: Report = { value: {}, lines: [], exitCode: 0 };

/** A program with some commands of `rastro` by name only, and what happened in which order. */
function programOf(...names: readonly string[]) {
  const happened: string[] = [];
  const log = fakeRecordLog();
  const append = { ...log, append: async (...given: Parameters<typeof log.append>) => {
    await log.append(...given);
    happened.push('audited');
  } };
  const ids = { ingestId: () => `id-${log.appended.length}` };
  const writeAudit = createWriteAudit({
    log: append, ids, secrets, clock: { nowMs: () => NOW_MS },
  });
  const open = () => ({
    ports: happened, writeAudit, close: () => Promise.resolve(void happened.push('closed')),
  });
  const define: Define<CommandEnv, Report> = (program, does) => {
    program.name('rastro');
    const act = within(open, does)((ports) => { ports.push('acted'); return done; });
    for (const name of names) {
      const [noun = '', verb] = name.split(' ');
      const top = program.commands.find((each) => each.name() === noun) ?? program.command(noun);
      (verb === undefined ? top : top.command(verb)).argument('[word]')
        .option('--shipment <n>').option('--device <id>').option('--dry-run').option('--name <name>')
          .option('--tenant-bytes <n>').action(act);
    }
    program.commands.forEach(addAuditOptions);
  };
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Report> => {
    const parsed = parseCommandLine(define, args);
    if (parsed.kind !== 'run') throw new Error(`not run: ${JSON.stringify(parsed)}`);
    return parsed.work({ env, asJson: false, print: () => {}, osUser: 'root@host' });
  };
  const audits = () => log.of('platform.audit.v1').map(({ value }) => value as CommandAudited);
  return { run, happened, log, audits };
}

describe('every command of rastro', () => {
  it.each(paths)('%s is audited, or named as one that touches nothing of the kind', (path) => {
    expect(AUDIT_RULES).toHaveProperty([path]);
  });

  it('is there for each row, and those that are not audited were reviewed', () => {
    expect(paths.length).toBeGreaterThan(45);
    expect(Object.keys(AUDIT_RULES).filter((path) => !paths.includes(path))).toEqual([]);
    const unaudited = Object.entries(AUDIT_RULES).filter(([, rule]) => 'unaudited' in rule);
    expect(unaudited.map(([path]) => path).toSorted()).toEqual(REVIEWED);
  });

  it('that is audited takes an actor and a reason', () => {
    for (const command of runnableCommands(program)) {
      const isAudited = !REVIEWED.includes(pathOf(command));
      const options = command.options.map(({ long }) => long);
      expect([pathOf(command), options.includes('--actor'), isAudited && options.includes('--reason')])
        .toEqual([pathOf(command), isAudited, isAudited]);
    }
  });

  it('does not run without a row', async () => {
    const { run, happened } = programOf('client steal');
    await expect(run(['client', 'steal'])).rejects.toThrow('no row');
    expect(happened).toEqual([]);
  });
});

describe('the audit of a command', () => {
  it('[GEN-50] is in the log before the command acts', async () => {
    const { run, happened, audits } = programOf('device');
    expect(await run(['device', DEVICE, '--actor', 'ana'])).toEqual(done);
    expect(happened).toEqual(['audited', 'acted', 'closed']);
    expect(audits()).toEqual([{
      type: 'CommandAudited', audit_id: 'id-0', actor: 'ana', actor_from: 'option',
      command: 'device', touches: 'devices', subject: `device:${DEVICE}`, at_ms: NOW_MS,
    }]);
  });

  it('[GEN-50] that cannot be written lets the command not act', async () => {
    const { run, happened, log } = programOf('client list');
    log.failWith('log_unavailable');
    await expect(run(['client', 'list'])).rejects.toThrow('Nothing was done');
    expect(happened).toEqual(['closed']);
  });

  it('names who asked: an option, else the setting, else user and host', async () => {
    const { run, audits } = programOf('client list');
    await run(['client', 'list', '--actor', 'ana'], { RASTRO_ACTOR: 'rui' });
    await run(['client', 'list'], { RASTRO_ACTOR: 'rui' });
    await run(['client', 'list']);
    expect(audits().map(({ actor, actor_from }) => [actor, actor_from])).toEqual([
      ['ana', 'option'], ['rui', 'setting'], ['root@host', 'system'],
    ]);
    expect((await run(['client', 'list', '--actor', 'Ana Souza'])).exitCode).toBe(2);
  });

  it('[GEN-51] needs a reason where persons are opened or nothing can be taken back', async () => {
    const { run, happened, audits } = programOf('person show', 'dlq discard');
    expect((await run(['person', 'show', '--device', DEVICE])).lines[0]).toContain('needs --reason');
    expect((await run(['dlq', 'discard', 'T:1:2'])).exitCode).toBe(2);
    expect((await run(['person', 'show', '--reason', ' '])).exitCode).toBe(2);
    expect((await run(['person', 'show', '--reason', 'x'.repeat(201)])).exitCode).toBe(2);
    expect(happened).toEqual([]);
    await run(['dlq', 'discard', 'T:1:2', '--dry-run']);
    await run(['person', 'show', '--reason', 'ticket 7', '--device', DEVICE]);
    expect(audits().map(({ subject, reason }) => [subject, reason])).toEqual([
      ['dead-letter:T:1:2', undefined], [`device:${DEVICE}`, 'ticket 7'],
    ]);
  });

  it('of a command below another has the words that stand behind it', async () => {
    const { run, audits } = programOf('shipment', 'shipment reassign');
    await run(['shipment', 'reassign', '1Z9', '--actor', 'ana', '--reason', 'theirs']);
    expect(audits()).toMatchObject([
      { command: 'shipment reassign', actor: 'ana', reason: 'theirs', touches: 'shipments' },
    ]);
  });

  it('has the options of a change of limits, and not their values', async () => {
    const { run, audits } = programOf('client limits');
    await run(['client', 'limits', CLIENT]);
    await run(['client', 'limits', CLIENT, '--tenant-bytes', '7', '--reason', 'more trucks']);
    expect(audits().map(({ command }) => command))
      .toEqual(['client limits', 'client limits --tenant-bytes']);
  });

  it('finds a client that is made by its name, which it keeps as a hash', async () => {
    const { run, audits } = programOf('client add');
    await run(['client', 'add', '--name', CANARY]);
    expect(audits()[0]?.subject).toBe(auditedSubject(secrets, { kind: 'client-name', text: CANARY }));
    expect(audits()[0]?.subject).toMatch(/^client-name:#[0-9a-f]{32}$/);
  });

  it('[GEN-52] keeps no word of a command that could be of a person, only its keyed hash', async () => {
    const audited = Object.entries(AUDIT_RULES).filter(([, rule]) => !('unaudited' in rule));
    const { run, log } = programOf(...audited.map(([path]) => path));
    for (const [path] of audited) {
      await run([
        ...path.split(' '), CANARY, '--shipment', CANARY, '--device', CANARY, '--reason', 'ticket 7',
      ]);
    }
    expect(log.appended).toHaveLength(audited.length);
    for (const { bytes } of log.appended) {
      expect(Buffer.from(bytes).toString()).not.toMatch(/Ana(?!lyst)|Souza/i);
    }
  });
});

describe('rastro audit', () => {
  it('shows who did what, and finds a shipment however its number is written', async () => {
    const { run, audits } = programOf('person show', 'client list');
    await run(['client', 'list', '--actor', 'rui']);
    await run(['person', 'show', '--shipment', '1z999', '--reason', 'r', '--actor', 'ana']);
    const reader = fakeLogReader(audits().map((fact, at) => (
      aLogRecord('platform.audit.v1', at, fact, { key: fact.actor })
    )));
    const show = (...args: string[]) => (
      auditCommand({ reader, secrets, clock: { nowMs: () => NOW_MS + 1 } }, args)
    );
    expect((await show()).value).toMatchObject([{ actor: 'rui' }, { actor: 'ana' }]);
    expect((await show('--subject', 'shipment:1Z999')).value).toMatchObject([{ actor: 'ana' }]);
    expect((await show('--subject', 'shipment:1Z998')).value).toEqual([]);
    expect((await show('--by', 'rui', '--command', 'client')).value).toHaveLength(1);
    expect((await show('--subject', 'x')).exitCode).toBe(2);
    expect((await show('--last', '1')).value).toMatchObject([{ actor: 'ana' }]);
  });
});
