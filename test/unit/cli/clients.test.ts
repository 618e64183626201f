import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { keyedSecrets } from '../../../services/adapters/secrets/secrets.ts';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import { limitLines } from '../../../services/cli/client/limits.ts';
import type { InspectedStates, OperatorPorts } from '../../../services/cli/ports.ts';
import type { KeptRefusals } from '../../../services/kernel/refusals.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const ID = '100000000000042';
const schemas = loadSchemas();
let log: FakeRecordLog;
let nonces = 0;
beforeEach(() => { log = fakeRecordLog(); refused = undefined; });

/** What the state store holds of refused calls; undefined without an address of it. */
let refused: readonly KeptRefusals[] | undefined;

function client(...args: string[]) {
  const written = log.appended.map(({ topic, value, key }, at) => (
    aLogRecord(topic, at, value, { key })
  ));
  const ports: OperatorPorts = {
    ...fakeWatchedLog(written), log, schemas, readFile: async () => undefined,
    digest: (text) => text,
    pause: () => Promise.resolve(),
    inspectState: refused === undefined ? undefined : (inspect) => inspect({
      refusals: { find: async (id: string) => (id === ID ? refused ?? [] : []) },
    } as unknown as InspectedStates),
    processes: { isAlive: () => false, askToEnd: () => undefined },
    clock: { nowMs: () => 1_800_000_000_000 + log.appended.length },
    ids: { ingestId: () => 'i', nonce: () => `${nonces++}`.padStart(8, '0').padEnd(32, 'x') },
    secrets: keyedSecrets('pepper'), newClientId: () => ID,
  };
  return clientCommand(ports, args);
}

describe('rastro client', () => {
  it('add prints the secret once, and show, list and the log never', async () => {
    const { value, exitCode } = await client('add', '--name', 'Acme', '--provider', 'acme');
    const { client_secret } = value as { client_secret: string };
    expect({ exitCode, length: client_secret.length }).toEqual({ exitCode: 0, length: 43 });
    const seen = JSON.stringify([await client('show', ID), await client('list'), log.appended]);
    expect(seen).toContain('Acme');
    expect(seen).not.toContain(client_secret);
    const [{ value: fact } = { value: undefined }] = log.of(TOPICS.clients.name);
    expect(schemas.checkOf('ClientRecorded')(fact)).toBeUndefined();
  });

  it('add --sandbox adds a client that stays one, and set refuses to make one', async () => {
    await client('add', '--name', 'Try', '--sandbox');
    const [{ value: fact } = { value: undefined }] = log.of(TOPICS.clients.name);
    expect(fact).toMatchObject({ sandbox: true });
    expect(schemas.checkOf('ClientRecorded')(fact)).toBeUndefined();
    expect((await client('set', ID, '--name', 'Tried')).value).toMatchObject({ sandbox: true });
    const shown = [...(await client('show', ID)).lines, ...(await client('list')).lines].join('\n');
    expect(shown).toMatch(/^sandbox {8}yes/m);
    expect(shown).toContain('active, sandbox');
    const numbers = await client('add', '--name', 'Try', '--sandbox', '--tracking-numbers', 'RST');
    expect(numbers.exitCode).toBe(2);
    const refused = await client('set', ID, '--sandbox');
    expect([refused.exitCode, refused.lines.join(' ')])
      .toEqual([2, expect.stringContaining('stays what it was added as')]);
  });

  it('[PLT-01] add --platform grants what the platform itself needs, and what is named wins', async () => {
    expect((await client('add', '--name', 'Platform', '--platform')).value).toMatchObject({
      providers: [], audiences: ['platform', 'revoke'], scopes: ['platform:read', 'platform:write'],
    });
    const [{ value: fact } = { value: undefined }] = log.of(TOPICS.clients.name);
    expect(schemas.checkOf('ClientRecorded')(fact)).toBeUndefined();
    const reader = ['add', '--name', 'Reader', '--platform', '--scope', 'platform:read'];
    expect((await client(...reader)).value).toMatchObject({
      audiences: ['platform', 'revoke'], scopes: ['platform:read'],
    });
  });

  it('rotate gives a second secret, and retire takes the first, but never the last', async () => {
    await client('add', '--name', 'Acme');
    const shown = (await client('rotate', ID)).value as {
      secrets: readonly { secret_id: string; live: boolean }[];
    };
    expect(shown.secrets.map(({ live }) => live)).toEqual([true, true]);
    const [one, two] = shown.secrets.map(({ secret_id }) => secret_id);
    expect((await client('retire', ID, one ?? '')).exitCode).toBe(0);
    expect(await client('retire', ID, two ?? '')).toMatchObject({ exitCode: 2 });
    expect(log.appended).toHaveLength(3);
  });

  it('[GEN-40] limits shows, sets and takes back the limits of a client', async () => {
    await client('add', '--name', 'Acme');
    expect(await client('limits', ID)).toMatchObject({
      value: {}, lines: expect.arrayContaining([
        'requests_per_second         default (RASTRO_REQUESTS_PER_SECOND)',
        'tenant_bytes_per_day        default (RASTRO_TENANT_BYTES_PER_DAY)',
      ]),
    });
    expect((await client('limits', ID, '--requests', '500', '--device-requests', '5')).value)
      .toMatchObject({
        version: 2, limits: { requests_per_second: 500, device_requests_per_second: 5 },
      });
    const [, { value: fact } = { value: undefined }] = log.of(TOPICS.clients.name);
    expect(schemas.checkOf('ClientRecorded')(fact)).toBeUndefined();
    await client('set', ID, '--name', 'Acme 2');
    expect((await client('limits', ID)).value)
      .toEqual({ requests_per_second: 500, device_requests_per_second: 5 });
    await client('limits', ID, '--requests', 'default');
    expect((await client('limits', ID, '--device-requests', '5')).lines).toEqual(expect.arrayContaining([
      'requests_per_second         default (RASTRO_REQUESTS_PER_SECOND)',
      'device_requests_per_second  5',
    ]));
    expect((await client('limits', ID)).value).toEqual({ device_requests_per_second: 5 });
    await client('limits', ID, '--notifications', '50');
    expect((await client('limits', ID)).value)
      .toEqual({ device_requests_per_second: 5, notifications_per_second: 50 });
    await client('limits', ID, '--notifications', 'default');
    await client('limits', ID, '--tenant-bytes-per-day', '5000000000000');
    expect((await client('limits', ID)).value)
      .toEqual({ device_requests_per_second: 5, tenant_bytes_per_day: 5_000_000_000_000 });
    await client('limits', ID, '--tenant-bytes-per-day', 'default');
    expect((await client('limits', ID, '--device-requests', 'default')).value)
      .not.toHaveProperty('limits');
  });

  it('names in each default of a limit a setting that the gateways have', () => {
    const named = limitLines({}).map((line) => /RASTRO_\w+/.exec(line)?.[0]);
    expect(Object.keys(gatewaysSettings)).toEqual(expect.arrayContaining(named));
  });

  it('set without a change ends with 2 and records nothing', async () => {
    await client('add', '--name', 'Acme');
    expect(await client('set', ID)).toMatchObject({ exitCode: 2 });
    expect(log.appended).toHaveLength(1);
  });

  it.each([['0'], ['-1'], ['1.5'], ['many'], ['2000000000']])(
    'limits refuses %s', async (value) => {
      await client('add', '--name', 'Acme');
      const { exitCode } = await client('limits', ID, '--requests', value);
      expect([exitCode, log.appended.length]).toEqual([2, 1]);
    },
  );

  it.each([
    [['show', '1']], [['set', '1', '--name', 'A']], [['limits', '1']], [['refusals', '1']],
    [['rotate', '1']], [['retire', '1', 'x']], [['enable', '1']], [['disable', '1']],
    [['revoke-tokens', '1']],
  ])('ends with 3 for %j, because there is no such client, and records nothing', async (args) => {
    expect(await client(...args)).toMatchObject({ exitCode: 3, value: { error: 'No client 1.' } });
    expect(log.appended).toEqual([]);
  });

  it('list says so when there is none, also as JSON', async () => {
    expect(await client('list')).toMatchObject({ value: [], lines: ['There is no client.'] });
  });

  it('[TOK-17] disable and enable record the state, and that tokens from before are revoked', async () => {
    await client('add', '--name', 'Acme');
    expect((await client('disable', ID)).value)
      .toMatchObject({ status: 'disabled', version: 2, revocations: 1 });
    expect((await client('enable', ID)).value)
      .toMatchObject({ status: 'active', version: 3, revocations: 2 });
  });

  it('[TOK-17] revoke-tokens records it, and every later change keeps it', async () => {
    await client('add', '--name', 'Acme');
    const { value, lines, exitCode } = await client('revoke-tokens', ID);
    expect([exitCode, value]).toEqual([0, expect.objectContaining({ version: 2, revocations: 1 })]);
    expect(lines).toContain('revocations    1 (times that all its tokens were revoked)');
    const [, { value: fact } = { value: undefined }] = log.of(TOPICS.clients.name);
    expect(schemas.checkOf('ClientRecorded')(fact)).toBeUndefined();
    for (const change of [['set', '--name', 'B'], ['limits', '--requests', '5'], ['rotate']]) {
      const [verb = '', ...words] = change;
      expect((await client(verb, ID, ...words)).exitCode).toBe(0);
    }
    expect((await client('show', ID)).value).toMatchObject({ version: 5, revocations: 1 });
  });

  it.each([[['add']], [['melt', ID]], [['add', '--name', 'A', '--scope', 'all']]])(
    'refuses %j with 2, and records nothing', async (args) => {
      expect(await client(...args)).toMatchObject({ exitCode: 2 });
      expect(log.appended).toEqual([]);
    },
  );

  it('[GEN-56] refusals shows what was refused lately, and where bodies were wrong', async () => {
    await client('add', '--name', 'Acme');
    expect((await client('refusals', ID)).lines).toEqual([
      'Set REDIS_URL: refused calls are kept there.',
    ]);
    refused = [{
      operation: 'send-locations', status: 400, code: 'validation_failed', count: 3,
      pointers: ['/locations/0/latitude'], first_at_ms: 1_764_000_000_000,
      last_at_ms: 1_764_000_001_000,
    }];
    const { value, lines } = await client('refusals', ID);
    expect(value).toEqual([{
      operation: 'send-locations', status: 400, code: 'validation_failed', count: 3,
      pointers: ['/locations/0/latitude'], first_at: '2025-11-24T16:00:00.000Z',
      last_at: '2025-11-24T16:00:01.000Z',
    }]);
    expect(lines.at(-1)).toMatch(/3 +send-locations +400 +validation_failed +\/locations\/0\/latitude/);
    refused = [];
    expect((await client('refusals', ID)).lines).toEqual(['Nothing was refused to it in 7 days.']);
    expect((await client('refusals', '1')).exitCode).toBe(3);
  });
});
