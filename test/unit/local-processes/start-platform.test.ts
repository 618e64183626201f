import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePorts } from '../../../infra/local/ports.ts';
import { processEnv } from '../../../infra/local/processes/process-env.ts';
import { answersOk } from '../../../infra/local/processes/process.ts';
import {
  startPlatform, type PlatformSpec, type ProcessPlan, type RunningPlatform,
} from '../../../infra/local/processes/start-platform.ts';
import { EMPTY_STACK_ENV, type StackEnv } from '../../../infra/local/stack-env.ts';
import { waitFor } from '../../../infra/local/wait.ts';

const STACK_ENV: StackEnv = {
  ...EMPTY_STACK_ENV, KAFKA_BROKERS: 'log:1', REDIS_URL: 'redis://state:2',
  CLICKHOUSE_URL: 'http://tables:3', SCHEMA_REGISTRY_URL: 'http://registry:4',
  CLICKHOUSE_HISTORY_USER: 'history', CLICKHOUSE_HISTORY_PASSWORD: 'h',
  CLICKHOUSE_INGEST_USER: 'ingest', CLICKHOUSE_INGEST_PASSWORD: 'i',
};
const PLACE = { httpPort: 5, adminPort: 6, database: 'own' };

/** The provider needs no part, so a whole platform of it starts within a second. */
async function providerPlan(name: string, env: Record<string, string> = {}): Promise<ProcessPlan> {
  const [port = 0] = await freePorts(1);
  return {
    name, kind: 'provider', runs: ['--devices', '0'], httpPort: port, adminPort: port,
    readyPath: '/healthz',
    env: {
      RASTRO_URL: 'http://127.0.0.1:9', RASTRO_CLIENT_ID: '1', RASTRO_CLIENT_SECRET: 's',
      RASTRO_PROVIDER: 'acme', RASTRO_PROVIDER_COMMAND_TOKEN: 't', ...env,
    },
  };
}

let dir: string;
let running: RunningPlatform | undefined;

beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'rastro-start-platform-')); });
afterEach(async () => {
  await running?.close();
  running = undefined;
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

const start = async (
  plans: readonly ProcessPlan[], more: Partial<PlatformSpec> = {},
): Promise<RunningPlatform> => {
  running = await startPlatform({
    dir, parts: { own: [], others: STACK_ENV, ports: 'free' }, processes: () => plans,
    prepare: () => Promise.resolve(), ...more,
  });
  return running;
};

/** On a busy machine each process takes seconds to load. */
const STARTS_MS_MAX = 120_000;

describe('startPlatform', { timeout: STARTS_MS_MAX }, () => {
  it('prepares, then starts every process, and one more later; ends them all', async () => {
    const steps: string[] = [];
    const [first, second, later] = await Promise.all(['one', 'two', 'three'].map((name) => (
      providerPlan(name))));
    const platform = await start([first!, second!], {
      prepare: (env) => { steps.push(`prepare ${env.KAFKA_BROKERS}`); return Promise.resolve(); },
      faults: () => { steps.push('faults'); return Promise.resolve({ env: { KAFKA_BROKERS: 'x:1' } }); },
    });
    expect(steps).toEqual(['faults', 'prepare x:1']);
    await platform.start(later!);
    const urls = ['one', 'two', 'three'].map((name) => `${platform.process(name).adminUrl}/healthz`);
    expect(await Promise.all(urls.map(answersOk))).toEqual([true, true, true]);
    expect(existsSync(join(dir, 'one', 'output.log'))).toBe(true);
    expect(() => platform.process('four')).toThrow('no process four');
    await platform.close();
    expect(await Promise.all(urls.map(answersOk))).toEqual([false, false, false]);
  });

  it('starts a killed process again, with what was changed meanwhile', async () => {
    const one = (await start([await providerPlan('one')])).process('one');
    one.change({ env: { RASTRO_REPLAY_SPEED: '2' } });
    await one.part.kill();
    await waitFor(() => one.lives() === 2, { what: 'The second life', deadlineMs: 20_000 });
    await one.part.ready();
    expect(one.release().env['RASTRO_REPLAY_SPEED']).toBe('2');
  });

  it('leaves what Node compiled for the next start', async () => {
    const compiled = join(dir, 'compiled');
    vi.stubEnv('NODE_COMPILE_CACHE', compiled);
    await (await start([await providerPlan('one')])).close();
    expect(readdirSync(compiled, { recursive: true }).length).toBeGreaterThan(100);
  });

  it('keeps a process away until it is to come back', async () => {
    const one = (await start([await providerPlan('one')])).process('one');
    let asked: number | undefined;
    await one.leave((pid) => { asked = pid; return Promise.resolve(); });
    expect({ isAway: one.isAway(), pid: one.part.pid() }).toEqual({ isAway: true, pid: undefined });
    expect(asked).toBeTypeOf('number');
    await one.comeBack();
    expect({ isAway: one.isAway(), lives: one.lives() }).toEqual({ isAway: false, lives: 2 });
  });

  it('leaves nothing running when one of its processes cannot start', async () => {
    const [good, bad] = [await providerPlan('good'), await providerPlan('bad', { RASTRO_URL: 'x' })];
    const ended: string[] = [];
    await expect(start([good, bad], {
      faults: (onClose) => { onClose(() => ended.push('proxies')); return Promise.resolve({}); },
    })).rejects.toThrow(/RASTRO_URL is no http address/);
    expect(ended).toEqual(['proxies']);
    expect(await answersOk(`http://127.0.0.1:${good.httpPort ?? 0}/healthz`)).toBe(false);
  });

  it('ends what it began when it shall leave', async () => {
    const leaving = new AbortController();
    leaving.abort(new Error('enough'));
    await expect(start([], { leaving: leaving.signal })).rejects.toThrow('enough');
  });
});

describe('what a process gets', () => {
  it('is its addresses and its own users, and no other password', () => {
    const gateways = processEnv('gateways', STACK_ENV, PLACE);
    expect(gateways).toMatchObject({
      KAFKA_BROKERS: 'log:1', REDIS_URL: 'redis://state:2', CLICKHOUSE_HISTORY_USER: 'history',
      RASTRO_HTTP_PORT: '5', RASTRO_GATEWAYS_ADMIN_PORT: '6', CLICKHOUSE_DATABASE: 'own',
    });
    expect(gateways).not.toHaveProperty('CLICKHOUSE_INGEST_PASSWORD');
    const workers = processEnv('workers', STACK_ENV, PLACE);
    expect(workers).toMatchObject({
      CLICKHOUSE_INGEST_USER: 'ingest', RASTRO_WORKERS_ADMIN_PORT: '6',
    });
    expect(workers).not.toHaveProperty('CLICKHOUSE_HISTORY_PASSWORD');
    expect([gateways, workers].flatMap(Object.keys)).not.toContain('CLICKHOUSE_PASSWORD');
  });

  it('is another way to log and state store where one is given', () => {
    expect(processEnv('workers', STACK_ENV, PLACE, { KAFKA_BROKERS: 'proxy:7', REDIS_URL: 'r' }))
      .toMatchObject({ KAFKA_BROKERS: 'proxy:7', REDIS_URL: 'r', CLICKHOUSE_URL: 'http://tables:3' });
  });
});
