import { beforeEach, describe, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { keyedSecrets, sha256 } from '../../../services/adapters/secrets/secrets.ts';
import { consoleCommand } from '../../../services/cli/console/command.ts';
import { clientCommand } from '../../../services/cli/client/command.ts';
import type { OperatorPorts } from '../../../services/cli/ports.ts';
import { shardOf } from '../../../services/kernel/shards.ts';
import { fakeWatchedLog } from '../../support/fake-watched-log.ts';
import { fakeRecordLog, type FakeRecordLog } from '../../support/fake-log.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';

const ID = '100000000000042';
const NOW_MS = 1_800_000_000_000;
const schemas = loadSchemas();
let log: FakeRecordLog;
beforeEach(() => { log = fakeRecordLog(); });

function ports(): OperatorPorts {
  const written = log.appended.map(({ topic, value, key }, at) => (
    aLogRecord(topic, at, value, { key })));
  return {
    ...fakeWatchedLog(written), log, schemas, readFile: async () => undefined, digest: sha256,
    pause: () => Promise.resolve(), processes: { isAlive: () => false, askToEnd: () => undefined },
    clock: { nowMs: () => NOW_MS }, ids: { ingestId: () => 'i', nonce: () => 'n'.repeat(32) },
    secrets: keyedSecrets('pepper'), newClientId: () => ID,
  };
}

const link = (...args: string[]) => consoleCommand(ports(), ['link', ...args]);
const clients = (): readonly unknown[] => log.of(TOPICS.clients.name).map(({ value }) => value);

describe('rastro console link', () => {
  it('prints a link whose hash alone is in the log, good for ten minutes', async () => {
    const { value, lines, exitCode } = await link('--operator', '--url', 'https://rastro.example/');
    const { link: address } = value as { link: string };
    const [, token = ''] = /^https:\/\/rastro\.example\/console\/#link=([\w-]{45})$/.exec(address) ?? [];
    expect([exitCode, lines[0]]).toEqual([0, address]);
    const [fact] = log.of(TOPICS.tokens.name).map((each) => each.value);
    expect(fact).toMatchObject({
      type: 'TokenIssued', audience: 'console-link', token_hash: sha256(token), client_id: ID,
      issued_at_ms: NOW_MS, expires_at_ms: NOW_MS + 600_000,
    });
    expect(Number.parseInt(token.slice(0, 2), 16)).toBe(shardOf(ID));
    expect(schemas.checkOf('TokenRecord')(fact)).toBeUndefined();
    expect(JSON.stringify(log.appended)).not.toContain(token);
  });

  it('adds the client of operators once: it reads all but persons, and has no secret', async () => {
    await link('--operator');
    await link('--operator');
    expect(clients()).toEqual([expect.objectContaining({
      audiences: ['platform'], scopes: ['platform:read', 'admin'], secrets: [], status: 'active',
    })]);
    expect(schemas.checkOf('ClientRecorded')(clients()[0])).toBeUndefined();
    expect(log.of(TOPICS.tokens.name)).toHaveLength(2);
  });

  it('is for a client that is there, active, and has something to see', async () => {
    expect(await link('--client', ID)).toMatchObject({ exitCode: 3, lines: [`No client ${ID}.`] });
    await clientCommand(ports(), ['add', '--name', 'Acme', '--audience', 'revoke']);
    expect(await link('--client', ID)).toMatchObject({ exitCode: 2 });
    await clientCommand(ports(), ['set', ID, '--audience', 'rtt']);
    expect(await link('--client', ID)).toMatchObject({ exitCode: 0, value: { client_id: ID } });
    await clientCommand(ports(), ['disable', ID]);
    expect(await link('--client', ID)).toMatchObject({ exitCode: 2, lines: ['The client is disabled.'] });
  });

  it.each([[[]], [['--operator', '--client', ID]], [['--operator', '--url', 'ftp://x']],
    [['--operator', '--url', 'https://x/path?q']]])('refuses %j, and writes nothing', async (args) => {
    expect((await link(...args)).exitCode).toBe(2);
    expect(log.appended).toEqual([]);
  });
});
