import { ClickHouseError } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  CLICKHOUSE_LIMITS, openClickHouse, type ClickHouseConfig,
} from '../../../services/adapters/clickhouse/clickhouse.ts';
import {
  openShipmentHistory, SHIPMENT_HISTORY_LIMITS,
} from '../../../services/adapters/clickhouse/shipment-history.ts';
import { readRegistry } from '../../../services/adapters/config/read-registry.ts';
import { readTls } from '../../../services/adapters/config/read-tls.ts';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { openRedis, type RedisStates } from '../../../services/adapters/redis/open-redis.ts';
import { openRegistryClient } from '../../../services/adapters/registry/client.ts';
import type { ClientId, TrackingNumber } from '../../../services/kernel/ids.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import type { TlsTexts } from '../../../services/kernel/tls.ts';
import { wallClock } from '../../support/kafka-logs.ts';
import { stackEnv } from '../../support/stack.ts';
import {
  makeAuthorities, startHttpsFront, startTlsFront, type TestAuthorities, type TestAuthority,
  type TlsFront,
} from '../../support/tls-front.ts';

/** What Node says of a certificate whose signer it does not know. */
const UNKNOWN_SIGNER = /unable to verify|self.signed certificate|unable to get local issuer/;
const LOGIN = { username: 'rastro', password: 'a-password' };

let authorities: TestAuthorities;
const fronts: TlsFront[] = [];
const states: RedisStates[] = [];

beforeAll(() => { authorities = makeAuthorities(); });
afterAll(() => authorities.remove());
afterEach(async () => {
  await Promise.all(states.splice(0).map((each) => each.close()));
  await Promise.all(fronts.splice(0).map((each) => each.close()));
});

async function kept(front: Promise<TlsFront>): Promise<number> {
  fronts.push(await front);
  return (await front).port;
}

/** The variables that name the files of an authority, with or without our own certificate. */
function filesOf(
  part: string, { ca, client }: TestAuthority, isWhole = false,
): Readonly<Record<string, string>> {
  return {
    [`${part}_TLS_CA_FILE`]: ca,
    ...(isWhole ? {
      [`${part}_TLS_CERTIFICATE_FILE`]: client.cert, [`${part}_TLS_KEY_FILE`]: client.key,
    } : {}),
  };
}

/** What is behind an error of an adapter. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

describe('the state store by TLS', () => {
  const port = (): number => Number(new URL(stackEnv().REDIS_URL).port);

  async function open(at: number, tls: TlsTexts | undefined): Promise<RedisStates> {
    const url = `rediss://127.0.0.1:${at}/0`;
    const config = { ...REDIS_DEFAULTS, url, tls, bootMsMax: 1_500 };
    const opened = await openRedis(config, { signals: silentSignals, clock: wallClock });
    states.push(opened);
    return opened;
  }

  it('is reached with the authority that signs it', async () => {
    const at = await kept(startTlsFront(port(), { authority: authorities.ours }));
    const url = `rediss://127.0.0.1:${at}`;
    const opened = await open(at, readTls('REDIS', url, filesOf('REDIS', authorities.ours)));
    expect(await opened.readiness.isReady()).toBe(false);
  });

  it.each([['the system\'s', false], ['a foreign one', true]])(
    'is refused with %s alone, and says why', async (_whose, isForeign) => {
      const at = await kept(startTlsFront(port(), { authority: authorities.ours }));
      const files = isForeign ? filesOf('REDIS', authorities.foreign) : {};
      await expect(open(at, readTls('REDIS', 'rediss://x', files))).rejects.toMatchObject({
        code: 'state_unavailable', stage: 'boot',
        message: expect.stringMatching(UNKNOWN_SIGNER) as string,
      });
    },
  );

  it('that asks for a certificate gets ours', async () => {
    const { ours } = authorities;
    const at = await kept(startTlsFront(port(), { authority: ours, asksForCertificate: true }));
    const whole = readTls('REDIS', 'rediss://x', filesOf('REDIS', ours, true));
    expect(await (await open(at, whole)).readiness.isReady()).toBe(false);
    await expect(open(at, readTls('REDIS', 'rediss://x', filesOf('REDIS', ours))))
      .rejects.toMatchObject({ code: 'state_unavailable' });
  });
});

describe('the analytical store by TLS', () => {
  const configAt = (port: number, tls: TlsTexts | undefined): ClickHouseConfig => ({
    ...CLICKHOUSE_LIMITS, url: `https://127.0.0.1:${port}`, tls, database: 'default',
    user: stackEnv().CLICKHOUSE_USER, password: stackEnv().CLICKHOUSE_PASSWORD,
  });
  const ask = async (config: ClickHouseConfig): Promise<unknown> => {
    const store = openClickHouse(config, { signals: silentSignals });
    return store.query('SELECT 1 AS one').finally(() => store.close());
  };

  it('is reached with the authority that signs it, by each who reads or writes it', async () => {
    const { ours } = authorities;
    const front = startHttpsFront(stackEnv().CLICKHOUSE_URL, { authority: ours });
    const tls = readTls('CLICKHOUSE', 'https://x', filesOf('CLICKHOUSE', ours));
    const config = configAt(await kept(front), tls);
    expect(await ask(config)).toEqual([{ one: 1 }]);
    const history = openShipmentHistory({ ...SHIPMENT_HISTORY_LIMITS, ...config });
    const asked = { tracking_number: 'N1' as TrackingNumber, carrier: '1' as ClientId };
    // The store itself answers: there are no such tables in this database.
    const end = await history.journey(asked, undefined, 1).catch((error: unknown) => error);
    expect(causeOf(end)).toBeInstanceOf(ClickHouseError);
    await history.close();
  });

  it('is refused with a foreign authority, and says why', async () => {
    const { ours, foreign } = authorities;
    const front = startHttpsFront(stackEnv().CLICKHOUSE_URL, { authority: ours });
    const tls = readTls('CLICKHOUSE', 'https://x', filesOf('CLICKHOUSE', foreign));
    await expect(ask(configAt(await kept(front), tls))).rejects.toMatchObject({
      code: 'sink_unavailable', message: expect.stringMatching(UNKNOWN_SIGNER) as string,
    });
  });

  it('that asks for a certificate gets ours', async () => {
    const { ours } = authorities;
    const options = { authority: ours, asksForCertificate: true };
    const port = await kept(startHttpsFront(stackEnv().CLICKHOUSE_URL, options));
    const whole = readTls('CLICKHOUSE', 'https://x', filesOf('CLICKHOUSE', ours, true));
    expect(await ask(configAt(port, whole))).toEqual([{ one: 1 }]);
    const half = readTls('CLICKHOUSE', 'https://x', filesOf('CLICKHOUSE', ours));
    await expect(ask(configAt(port, half))).rejects.toMatchObject({ code: 'sink_unavailable' });
  });
});

describe('the schema registry by TLS', () => {
  const SCHEMA = { type: 'object', title: 'T', properties: { a: { type: 'string' } } };

  async function register(env: Readonly<Record<string, string>>, subject: string): Promise<number> {
    const client = openRegistryClient({
      ...readRegistry(env), clientId: 'test', requestMsMax: 5_000,
    });
    return client.register(subject, SCHEMA);
  }

  async function at(authority: TestAuthority, login?: typeof LOGIN): Promise<string> {
    const options = { authority, ...(login === undefined ? {} : { login }) };
    // The stack's address has a path, which callers give too.
    const { origin, pathname } = new URL(stackEnv().SCHEMA_REGISTRY_URL);
    return `https://127.0.0.1:${await kept(startHttpsFront(origin, options))}${pathname}`;
  }

  it('is reached with the authority that signs it, and a login', async () => {
    const { ours } = authorities;
    const env = {
      SCHEMA_REGISTRY_URL: await at(ours, LOGIN), ...filesOf('SCHEMA_REGISTRY', ours),
      SCHEMA_REGISTRY_USERNAME: LOGIN.username, SCHEMA_REGISTRY_PASSWORD: LOGIN.password,
    };
    const subject = `tls-${Date.now()}-value`;
    expect(await register(env, subject)).toBeGreaterThan(0);
    await expect(register({ ...env, SCHEMA_REGISTRY_PASSWORD: 'wrong' }, subject))
      .rejects.toMatchObject({
        code: 'registry_unavailable', message: expect.stringContaining('401') as string,
      });
  });

  it('is refused with a foreign authority, and says why', async () => {
    const { ours, foreign } = authorities;
    const env = { SCHEMA_REGISTRY_URL: await at(ours), ...filesOf('SCHEMA_REGISTRY', foreign) };
    await expect(register(env, 'tls-foreign-value')).rejects.toMatchObject({
      code: 'registry_unavailable', message: expect.stringMatching(UNKNOWN_SIGNER) as string,
    });
  });
});
