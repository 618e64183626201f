import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restoreCommand } from '../../../services/cli/backup/assemble.ts';
import { answering, listen, type Listener } from '../../support/listener.ts';
import { awayAt, runRastro } from '../../support/run-rastro.ts';

const LOG = 'The log (KAFKA_BROKERS)';
const TABLES = 'The tables (CLICKHOUSE_URL)';
const REGISTRY = 'The registry of schemas (SCHEMA_REGISTRY_URL)';

let silent: Listener;
/** Answers what a broker is asked first, with bytes that the program does not read. */
let broker: Listener;
/** Answers every call as what is no registry. */
let other: Listener;

beforeAll(async () => {
  silent = await listen();
  broker = await listen(answering('\0\0\0\0'));
  other = await listen(answering('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'));
});

afterAll(async () => {
  for (const each of [silent, broker, other]) await each.close();
});

describe('a command names the address that does not answer, in seconds', () => {
  it.each([
    [['lag'], LOG], [['backup'], LOG], [['verify'], LOG], [['rebuild', 'redis', '--dry-run'], LOG],
    [['rebuild', 'clickhouse'], LOG], [['restore'], LOG], [['verify', '--replicas'], TABLES],
  ])('where nothing listens: %j', async (words, store) => {
    expect(await runRastro(words, {}))
      .toEqual(awayAt(store, store === LOG ? '127.0.0.1:1' : '127.0.0.1:2', 'nothing listens there'));
  });

  it('as JSON where that was asked for', async () => {
    const { status, stderr } = await runRastro(['lag', '--json'], {});
    expect(status).toBe(1);
    expect(JSON.parse(stderr)).toEqual({
      error: `${LOG} cannot be reached at 127.0.0.1:1 (nothing listens there).`,
    });
  });

  it.concurrent.each([[['lag']], [['backup']], [['restore']], [['dlq', 'ls']]])(
    'where a broker takes the connection and stays silent: %j', async (words) => {
      expect(await runRastro(words, { KAFKA_BROKERS: silent.address }))
        .toEqual(awayAt(LOG, silent.address, 'no answer within 3 s'));
    },
  );

  it.concurrent('where the tables do so', async () => {
    expect(await runRastro(['verify', '--replicas'], { CLICKHOUSE_URL: `http://${silent.address}` }))
      .toEqual(awayAt(TABLES, silent.address, 'no answer within 3 s'));
  });

  it.concurrent('where the registry does so, to a command that writes', async () => {
    const env = {
      KAFKA_BROKERS: broker.address, SCHEMA_REGISTRY_URL: `http://${silent.address}/apis/ccompat/v7`,
    };
    const { status, stderr } = await runRastro(['client', 'list'], env);
    expect(status).toBe(1);
    expect(stderr).toContain(awayAt(REGISTRY, silent.address, 'no answer within 3 s').stderr);
  });

  it.concurrent('where what answers is no registry', async () => {
    const { status, stderr } = await runRastro(['client', 'list'], {
      KAFKA_BROKERS: broker.address, SCHEMA_REGISTRY_URL: `http://${other.address}`,
    });
    expect(status).toBe(1);
    expect(stderr).toContain(`${REGISTRY} takes no schema at ${other.address} (status 404`);
  });
});

describe('rastro restore', () => {
  it('reaches the log and the tables before it brings anything back', async () => {
    const asked: string[] = [];
    const ports = {
      asJson: false,
      reach: (...stores: readonly string[]) => {
        asked.push(...stores);
        return Promise.reject(new Error('away'));
      },
    } as unknown as Parameters<typeof restoreCommand>[0];
    await expect(restoreCommand(ports, ['2026-11-23.1'])).rejects.toThrow('away');
    expect(asked).toEqual(['log', 'tables']);
  });
});
