import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  processesOf, renderedCompose, type RenderedProcess,
} from '../../../infra/check/rendered.ts';
import { wrongsOf } from '../../../infra/check/settings.ts';
import { portsFrom } from '../../../infra/local/processes/ports.ts';
import { WORKER_PROGRAMS } from '../../../services/workers/workers.ts';
import { keptOf, plansOf } from '../../../scripts/conformance/settings/local-settings.ts';

const OVERLAY = `
apiVersion: v1
kind: ConfigMap
metadata: {name: rastro-settings-8k2}
data: {KAFKA_BROKERS: "kafka:9093", RASTRO_LAME_DUCK_MS: "5000", RASTRO_CLIENT_ID_REQUIRED: "true"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ingest}
spec:
  template:
    spec:
      containers:
        - name: gateway
          args: [services/gateways/main.ts, ingest]
          envFrom: [{configMapRef: {name: rastro-settings-8k2}}]
          env:
            - {name: RASTRO_IMAGE_DIR, value: /images}
            - {name: RASTRO_LAME_DUCK_MS, value: "7000"}
            - {name: RASTRO_SECRET_PEPPER, valueFrom: {secretKeyRef: {name: s, key: k}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: redis}
spec: {template: {spec: {containers: [{name: redis, args: [redis-server]}]}}}
`;

const local = {
  dir: '/tmp/settings', ports: portsFrom(20_000), gatewaySettings: {},
  secrets: {
    secretPepper: 'pepper', personalKey: 'own:key', imageKey: 'image', vaultKey: 'vault',
    commandToken: 'token',
  },
  identity: { clientId: '100000000000001', clientSecret: 's', provider: 'demo', country: 'US' },
};
const program = (env: RenderedProcess['env'], secrets: readonly string[] = []): RenderedProcess =>
  ({ name: 'ingest', kind: 'gateways', runs: ['ingest'], env, secrets });

describe('what an overlay renders', () => {
  const [ingest, ...others] = processesOf(OVERLAY);

  it('is a program with the settings of its map and its own, and the names of its secrets', () => {
    expect(others).toEqual([]);
    expect(ingest).toEqual({
      name: 'ingest', kind: 'gateways', runs: ['ingest'], secrets: ['RASTRO_SECRET_PEPPER'],
      env: {
        KAFKA_BROKERS: 'kafka:9093', RASTRO_LAME_DUCK_MS: '7000', RASTRO_IMAGE_DIR: '/images',
        RASTRO_CLIENT_ID_REQUIRED: 'true',
      },
    });
  });

  it('keeps everything but what a machine must give', () => {
    expect(keptOf(ingest!)).toEqual(['RASTRO_LAME_DUCK_MS', 'RASTRO_CLIENT_ID_REQUIRED']);
    expect(plansOf([ingest!], local)[0]?.env).toEqual({
      RASTRO_LAME_DUCK_MS: '7000', RASTRO_CLIENT_ID_REQUIRED: 'true',
      RASTRO_IMAGE_DIR: '/tmp/settings/rastro_image_dir', RASTRO_SECRET_PEPPER: 'pepper',
    });
  });
});

describe('the programs of a copy', () => {
  const named = (name: string, kind: 'gateways' | 'workers'): RenderedProcess =>
    ({ name, kind, runs: [name], env: {}, secrets: [] });
  const portsOf = (processes: readonly RenderedProcess[]) => plansOf(processes, local)
    .flatMap(({ httpPort, adminPort }) => [httpPort, adminPort])
    .filter((each) => each !== undefined);

  it('have ports of their own, none of them one of a part or of the provider', () => {
    const ports = portsOf([
      ...['control', 'ingest', 'live', 'notifications'].map((name) => named(name, 'gateways')),
      ...WORKER_PROGRAMS.map((name) => named(name, 'workers')),
    ]);
    const { stack, provider, http } = local.ports;
    const taken = [http, provider, stack.kafka, stack.kafka + 1, stack.redis, stack.clickhouse];
    const all = [...ports, ...taken, stack.registry];
    expect(new Set(all).size).toBe(all.length);
  });

  it('answer at the port of the copy where there is one gateway', () => {
    expect(portsOf([named('all', 'gateways'), named('all', 'workers')]))
      .toEqual([20_000, 20_001, 20_002]);
  });
});

describe('a value that is left to a deployment', () => {
  it('is given where the check knows it, and else ends the check', () => {
    const [plan] = plansOf([program({ RASTRO_CARRIER_CLIENT_ID: 'your-carrier-client-id' })], local);
    expect(plan?.env).toEqual({ RASTRO_CARRIER_CLIENT_ID: '100000000000001' });
    expect(() => plansOf([program({ RASTRO_COUNTRIES: 'your-countries' })], local))
      .toThrow(/RASTRO_COUNTRIES=your-countries is left to a deployment/);
    expect(() => plansOf([program({}, ['RASTRO_NEW_KEY'])], local)).toThrow(/RASTRO_NEW_KEY/);
  });
});

describe('the files that are shipped', () => {
  it('start all gateways and workers in compose, each with what its anchors say', () => {
    const [gateways, workers] = renderedCompose('.');
    expect(gateways).toMatchObject({ kind: 'gateways', runs: ['all', 'live'] });
    expect(gateways?.env).toMatchObject({ KAFKA_BROKERS: 'kafka:9092', RASTRO_TRUSTED_PROXIES: 'none' });
    expect(workers).toMatchObject({ kind: 'workers', runs: ['all'] });
    expect(workers?.secrets).toContain('RASTRO_VAULT_KEY');
  });

  it('would start every program of compose, and an offence in them is named', () => {
    const [gateways] = renderedCompose('.');
    expect(renderedCompose('.').flatMap((each) => wrongsOf(each))).toEqual([]);
    const offended = (change: RenderedProcess['env']) =>
      wrongsOf({ ...gateways!, env: { ...gateways!.env, ...change } }).join();
    expect(offended({ RASTRO_CLIENT_ID_REQUIRED: 'true' })).toMatch(/no X-Client-Id/);
    expect(offended({ RASTRO_TRUSTED_PROXIES: '' })).toMatch(/is not decided/);
    expect(offended({ RASTRO_TRUSTED_PROXY: 'x' })).toMatch(/is not a setting/);
  });

  it('make X-Client-Id mandatory nowhere', () => {
    const files = globSync('infra/**/*.{yaml,yml,ts}');
    expect(files.length).toBeGreaterThan(50);
    const offenders = files.filter((file) => !file.startsWith('infra/check/')
      && readFileSync(file, 'utf8').includes('RASTRO_CLIENT_ID_REQUIRED'));
    expect(offenders).toEqual([]);
  });
});
