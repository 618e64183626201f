import { beforeEach, describe, expect, it } from 'vitest';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { createVault } from '../../../services/adapters/secrets/vault.ts';
import type { LogReader } from '../../../services/kernel/record-log.ts';
import { providerCommand } from '../../../services/cli/provider-command/command.ts';
import { partyCommand } from '../../../services/cli/party/command.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { aResult } from '../../support/command-facts.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const SECRET = 'the-token-of-acme';
const schemas = loadSchemas();

let log: FakeRecordLog;
let ports: OperatorPorts;
let count = 0;

beforeEach(() => {
  log = fakeRecordLog();
  const reader: LogReader = {
    readToEnd: (topics, onRecords) => onRecords(log.appended
      .filter(({ topic }) => topics.includes(topic))
      .map(({ topic, value }, at) => aLogRecord(topic, at, value))),
  };
  ports = {
    log, ...fakeWatchedLog([]), reader, schemas, readFile: async () => undefined,
    digest: (text) => text,
    pause: () => Promise.resolve(),
    processes: { isAlive: () => false, askToEnd: () => undefined },
    clock: { nowMs: () => 1_764_000_000_000 },
    ids: { ingestId: () => `command-${count++}`, nonce: () => `nonce-${count++}`.padEnd(32, '0') },
    secrets: keyedSecrets('pepper'), newClientId: () => '100000000000042',
    vault: createVault(Buffer.alloc(32, 7).toString('base64')), partySecret: SECRET,
  };
});

const party = (...args: string[]) => partyCommand(ports, args);
const command = (...args: string[]) => providerCommand(ports, args);
const ACME = ['add', '--kind', 'provider', '--name', 'Acme', '--provider', 'acme',
  '--url', 'https://acme.example', '--auth', 'static'];
const idOf = (report: { value: unknown }) => (report.value as { party_id: string }).party_id;

describe('rastro party', () => {
  it('reseal seals every secret by the newest key, so that the one before can go', async () => {
    const [old, next] = [7, 8].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    await party(...ACME);
    ports = { ...ports, vault: createVault(`${next ?? ''},${old ?? ''}`) };
    expect(await party('reseal')).toMatchObject({ exitCode: 0, value: { resealed: 1 } });
    const { authentication } = log.appended.at(-1)?.value as {
      authentication: { sealed_token: string };
    };
    expect(createVault(next ?? '').open(authentication.sealed_token)).toBe(SECRET);
  });

  it('records a provider whose token is neither in the log nor on the screen', async () => {
    const report = await party(...ACME);
    expect(report.exitCode).toBe(0);
    const [record] = log.of('platform.parties.v1');
    const fact = record!.value as { authentication: { sealed_token: string } };
    expect(fact).toMatchObject({
      type: 'PartyRecorded', kind: 'provider', provider: 'acme', version: 1, status: 'active',
    });
    expect(schemas.checkOf('PartyRecorded')(fact)).toBeUndefined();
    expect(ports.vault!.open(fact.authentication.sealed_token)).toBe(SECRET);
    const shown = JSON.stringify(report);
    expect(shown + Buffer.from(record!.bytes).toString()).not.toContain(SECRET);
    expect(shown).not.toContain(fact.authentication.sealed_token);
  });

  it('records a carrier with client credentials and a retry schema', async () => {
    const report = await party(
      'add', '--kind', 'carrier', '--name', 'Road', '--url', 'https://road.example',
      '--client', '100000000000042', '--auth', 'client-credentials', '--token-url',
      'https://road.example/oauth/token', '--auth-client', 'rastro', '--audience',
      'authorizations', '--retry-tries', '3', '--retry-first', '5', '--retry-max', '60', '--feed',
      '--agency-contract', 'pickup',
    );
    expect(report.value).toMatchObject({
      client_id: '100000000000042', feed: true, contracts_requiring_agency: ['pickup'],
      retry: { tries_max: 3, first_wait_seconds: 5, wait_seconds_max: 60 },
      authentication: { kind: 'client_credentials', audience: 'authorizations' },
    });
    expect(schemas.checkOf('PartyRecorded')(log.appended[0]!.value)).toBeUndefined();
  });

  it('changes, disables and lists, each as the next version', async () => {
    const id = idOf(await party(...ACME));
    expect((await party('set', id, '--url', 'https://new.example')).value)
      .toMatchObject({ version: 2, base_url: 'https://new.example' });
    expect((await party('disable', id)).value).toMatchObject({ version: 3, status: 'disabled' });
    expect((await party('list')).value).toMatchObject([{ party_id: id, status: 'disabled' }]);
    expect((await party('show', id)).value).toMatchObject({ version: 3 });
  });

  it('keeps one active party per provider', async () => {
    const first = idOf(await party(...ACME));
    expect((await party(...ACME)).exitCode).toBe(2);
    await party('disable', first);
    expect((await party(...ACME)).exitCode).toBe(0);
    expect((await party('enable', first)).exitCode).toBe(2);
  });

  it.each([
    [['add', '--kind', 'provider', '--name', 'A', '--url', 'https://a.example']],
    [['add', '--kind', 'friend', '--name', 'A', '--url', 'https://a.example', '--auth', 'static']],
    [[...ACME.slice(0, -2)]],
    [[...ACME.slice(0, -1), 'magic']],
    [['add', '--kind', 'carrier', '--name', 'A', '--url', 'ftp://a', '--auth', 'static']],
    [['dance']],
  ])('says what is wrong with %j', async (args) => {
    expect((await party(...args)).exitCode).toBe(2);
    expect(log.appended).toEqual([]);
  });

  it.each([['show'], ['set'], ['enable'], ['disable']])('%s ends with 3: there is none', async (verb) => {
    expect(await party(verb, 'p-0')).toMatchObject({ exitCode: 3, value: { error: 'No party p-0.' } });
    expect(log.appended).toEqual([]);
  });

  it('list says so when there is none', async () => {
    expect(await party('list')).toMatchObject({ value: [], lines: ['There is no party.'] });
  });

  it('needs the key of the vault and the secret', async () => {
    const { vault: _, ...without } = ports;
    expect((await partyCommand(without, ACME)).exitCode).toBe(2);
    expect((await partyCommand({ ...ports, partySecret: undefined }, ACME)).exitCode).toBe(2);
  });
});

describe('rastro command', () => {
  const START = ['send', 'acme', 'start_tracking', '--transport', '42', '--plate', 'ABC1D23',
    '--country', 'BR'];

  beforeEach(() => party(...ACME));

  it('issues a start from its parts, and any command from its body', async () => {
    expect((await command(...START)).value).toMatchObject({
      provider: 'acme', command: 'start_tracking', state: 'queued', country_id: 'BR',
    });
    const stop = '{"command":"stop_tracking","transport":{"id":42,"license_plate":"A","country_id":"BR"}}';
    await command('send', 'acme', '--body', stop);
    const records = log.of('provider.commands.v1');
    expect(records.map(({ key }) => key)).toEqual(['42', '42']);
    for (const { value } of records) {
      expect(schemas.checkOf('ProviderCommandIssued')(value)).toBeUndefined();
    }
  });

  it.each([
    [['send', 'acme', 'start_tracking', '--plate', 'A', '--country', 'BR']],
    [['send', 'acme', 'dance', '--transport', '1', '--plate', 'A', '--country', 'BR']],
    [['send', 'acme', '--body', '{']], [['send']],
  ])('issues nothing for %j', async (args) => {
    expect((await command(...args)).exitCode).toBe(2);
    expect(log.of('provider.commands.v1')).toEqual([]);
  });

  it('issues nothing for a provider that nothing would bring it to', async () => {
    const [, , ...rest] = START;
    expect(await command('send', 'acmee', ...rest)).toMatchObject({
      exitCode: 3, value: { error: 'No active party is provider acmee: rastro party list.' },
    });
    const { value } = await party('list');
    await party('disable', idOf({ value: (value as object[])[0] }));
    expect((await command(...START)).exitCode).toBe(3);
    expect(log.of('provider.commands.v1')).toEqual([]);
  });

  it.each([['show'], ['resend'], ['cancel']])('%s ends with 3: there is none', async (verb) => {
    expect(await command(verb, 'none')).toMatchObject({
      exitCode: 3, value: { error: 'No command none.' },
    });
  });

  it('cancels what waits or is sent, once, with a reason of its own in the log', async () => {
    const { command_id } = (await command(...START)).value as { command_id: string };
    const issued = log.of('provider.commands.v1')[0]!.value as Parameters<typeof aResult>[0];
    await log.append({
      topic: 'provider.command-results.v1', key: '42', headers: {},
      value: Buffer.from(JSON.stringify(aResult(issued, {
        outcome: 'retry', reason: 'timeout', fence: 7, attempt: 3,
      }))),
    }, Infinity);
    for (let time = 0; time < 2; time += 1) {
      expect(await command('cancel', command_id)).toMatchObject({
        exitCode: 0, value: { state: 'cancelled', last_reason: 'operator', attempts: 3 },
      });
    }
    const results = log.of('provider.command-results.v1');
    expect(results).toMatchObject([{}, { key: '42', value: { fence: 7, attempt: 3 } }]);
    expect(results).toHaveLength(2);
    expect(schemas.checkOf('ProviderCommandResult')(results[1]!.value)).toBeUndefined();
  });

  it.each(['done', 'refused', 'ended'] as const)('cancels nothing that is %s', async (outcome) => {
    const { command_id } = (await command(...START)).value as { command_id: string };
    const issued = log.of('provider.commands.v1')[0]!.value as Parameters<typeof aResult>[0];
    await log.append({
      topic: 'provider.command-results.v1', key: '42', headers: {},
      value: Buffer.from(JSON.stringify(aResult(issued, { outcome }))),
    }, Infinity);
    expect(await command('cancel', command_id)).toMatchObject({ exitCode: 2 });
    expect(log.of('provider.command-results.v1')).toHaveLength(1);
  });

  it('shows and lists commands with their results', async () => {
    const { command_id } = (await command(...START)).value as { command_id: string };
    const issued = log.of('provider.commands.v1')[0]!.value as Parameters<typeof aResult>[0];
    await log.append({
      topic: 'provider.command-results.v1', key: '42', headers: {},
      value: Buffer.from(JSON.stringify(aResult(issued, { outcome: 'refused', status: 400 }))),
    }, Infinity);
    const refused = { command_id, state: 'refused', attempts: 1, last_status: 400 };
    expect((await command('show', command_id)).value).toMatchObject(refused);
    expect((await command('list', '--state', 'refused')).value).toMatchObject([refused]);
    expect((await command('list', '--state', 'queued')).value).toEqual([]);
    const older = { ...issued, command_id: 'older', at_ms: issued.at_ms - 1 };
    await log.append({
      topic: 'provider.commands.v1', key: '43', headers: {}, value: Buffer.from(JSON.stringify(older)),
    }, Infinity);
    expect((await command('list')).value).toMatchObject([{ command_id: 'older' }, refused]);
  });

  it('[CMD-24] sends a refused command again after correction, as a new one', async () => {
    const { command_id } = (await command(...START)).value as { command_id: string };
    expect((await command('resend', command_id)).exitCode).toBe(2);
    const issued = log.of('provider.commands.v1')[0]!.value as Parameters<typeof aResult>[0];
    await log.append({
      topic: 'provider.command-results.v1', key: '42', headers: {},
      value: Buffer.from(JSON.stringify(aResult(issued, { outcome: 'refused', status: 400 }))),
    }, Infinity);
    const body = JSON.stringify({ ...issued.body, transport: { id: 42, license_plate: 'NEW', country_id: 'BR' } });
    expect((await command('resend', command_id, '--body', body)).value).toMatchObject({
      corrects: command_id, state: 'queued', body: { transport: { license_plate: 'NEW' } },
    });
    expect(log.of('provider.commands.v1')).toHaveLength(2);
  });
});
