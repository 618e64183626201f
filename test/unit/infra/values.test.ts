import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { tooMuch, unsaid, withoutDigest } from '../../../infra/check/values.ts';
import { resourcesOf } from '../../../infra/check/resources.ts';
import { VALUES } from '../../../infra/values/operator-values.ts';
import { valuesFiles } from '../../../infra/values/overlay.ts';
import { readValues, valuesTemplate, wrongsOf } from '../../../infra/values/read-values.ts';
import { tooSmall } from '../../../infra/values/too-small.ts';
import type { ValueTree } from '../../../infra/values/value.ts';

const EXAMPLE = readFileSync(
  join(process.cwd(), 'infra/kubernetes/overlays/prod/example.yaml'), 'utf8',
);
const withProfile = (profile: string): string => EXAMPLE.replace(/^profile: .*/m, `profile: ${profile}`);
const without = (path: string): string => {
  const [name = '', within] = path.split('.');
  const tree = parse(EXAMPLE) as Record<string, Record<string, unknown> | null>;
  if (within === undefined) tree[name] = null;
  else tree[name] = { ...tree[name], [within]: null };
  return stringify(tree);
};

describe('a file of values', () => {
  it('that says nothing lacks each value, by name and with what to write', () => {
    expect(wrongsOf(parse(valuesTemplate()) as ValueTree))
      .toEqual(VALUES.map(({ path, says }) => `${path} is missing: ${says}`));
  });

  it('that says all is read', () => {
    const values = readValues(EXAMPLE);
    expect(values.profile).toBe('standard');
    expect(values.text('gateway.host')).toBe('tracking.example');
  });

  it.each(VALUES.map(({ path }) => [path]))('without %s names it and nothing else', (path) => {
    expect(() => readValues(without(path))).toThrow(new RegExp(`complete:\n${path} is missing: [^\n]+$`));
  });

  it('with a place-holder or a word that nothing reads is refused', () => {
    expect(() => readValues(EXAMPLE.replace('"example"', '"Your class"')))
      .toThrow(/gateway\.class is "Your class", and must be: a GatewayClass/);
    expect(() => readValues(`${EXAMPLE}extra: {hostname: a.example}\n`))
      .toThrow(/extra\.hostname is no value that is read/);
  });

  it('of the small profile needs no Prometheus, as nothing is scaled', () => {
    const text = EXAMPLE.replace(/^ *prometheus:.*\n/m, '');
    expect(() => readValues(text)).toThrow(/parts\.prometheus is missing/);
    expect(readValues(text.replace(/^profile: .*/m, 'profile: small')).profile).toBe('small');
  });

  it('says which disks are below what the fleet of its profile fills', () => {
    expect(tooSmall(readValues(EXAMPLE))).toEqual([]);
    expect(tooSmall(readValues(EXAMPLE.replace('"9Ti"', '"500Gi"'))))
      .toEqual([expect.stringMatching(/^storage\.clickhouse is 500Gi: 100000 devices .* fill 8\d{3} GiB/)]);
    expect(tooSmall(readValues(withProfile('large')))).toHaveLength(2);
  });
});

describe('parts that are inside', () => {
  const inside = EXAMPLE.replace(/^( +schema_registry): .*$/m, '$1: inside')
    .replace(/^( +redis): .*$/m, '$1: [inside]');

  it('bring their components, the login of the registry and their addresses', () => {
    const { 'kustomization.yaml': text = '' } = valuesFiles(readValues(inside));
    const { components } = parse(text) as { readonly components: readonly string[] };
    expect(components.map((each) => each.split('/').at(-1)))
      .toEqual(['sizes', 'registry', 'registry-login', 'redis-cluster', 'oidc']);
    expect(text).toContain('SCHEMA_REGISTRY_URL=https://registry:8443/apis/ccompat/v7');
    expect(text).toContain('rediss://redis-5.redis:6379');
    const { 'kustomization.yaml': outside = '' } = valuesFiles(readValues(EXAMPLE));
    expect(outside).not.toContain('components/redis-cluster');
  });

  it('leave the login out where the registry of others has none', () => {
    const text = EXAMPLE.replace('schema_registry_user: "rastro"', 'schema_registry_user: none');
    expect(valuesFiles(readValues(text))['kustomization.yaml']).not.toContain('registry-login');
  });

  it('are refused with values that do not go with them', () => {
    expect(() => readValues(inside.replace('schema_registry_user: "rastro"', 'schema_registry_user: none')))
      .toThrow(/parts\.schema_registry_user must be rastro, as parts\.schema_registry is inside/);
    expect(() => readValues(inside.replace('redis_cluster: true', 'redis_cluster: false')))
      .toThrow(/parts\.redis_cluster must be true, as parts\.redis is inside/);
  });
});

describe('what is written from values', () => {
  it('opens the ports of the parts and no others', () => {
    const { 'kustomization.yaml': text = '' } = valuesFiles(readValues(EXAMPLE));
    const { patches } = parse(text) as {
      readonly patches: readonly {
        readonly target: { readonly name?: string }; readonly patch: string;
      }[];
    };
    const parts = patches.find(({ target }) => target.name === 'parts');
    const [{ value = [] } = {}] = JSON.parse(parts?.patch ?? '[]') as { value?: { port: number }[] }[];
    expect(value.map(({ port }) => port)).toEqual([9093, 8443, 6380]);
  });
});

describe('the gate of values', () => {
  const deployment = (name: string, replicas: number, cpu: string, image = 'rastro@sha256:0'): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  replicas: ${replicas}
  template:
    spec:
      containers:
        - {image: "${image}", args: [services/${name}/main.ts, all], resources: {requests: {cpu: ${cpu}}}}
---`;

  it('counts Pods and CPU of the small profile', () => {
    const fine = [
      deployment('gateways', 2, '250m'), deployment('workers', 2, '200m'),
      deployment('live', 1, '100m'),
    ];
    expect(tooMuch(resourcesOf(fine.join('')))).toEqual([]);
    expect(tooMuch(resourcesOf([fine[0], fine[2], deployment('workers', 2, '"1"')].join(''))))
      .toEqual(['asks for 2600m of CPU, more than a core']);
    expect(tooMuch(resourcesOf(fine[0] ?? '')))
      .toEqual(['has not 1 Pods of live', 'has not 2 Pods of workers']);
  });

  it('finds an image that may change under its tag', () => {
    expect(withoutDigest(resourcesOf(deployment('gateways', 2, '1', 'rastro:0.1.0'))))
      .toEqual(['Deployment gateways has the image rastro:0.1.0, without a digest']);
    expect(withoutDigest(resourcesOf(deployment('gateways', 2, '1')))).toEqual([]);
  });

  it('finds a value that is nowhere in the manifests', () => {
    const said = VALUES.map(({ example }) => String(example).replaceAll(',', '\n')).join('\n');
    const example = parse(EXAMPLE) as ValueTree;
    expect(unsaid(example, said)).toEqual([]);
    expect(unsaid(example, said.replace('vault', ''))).toContain('has nothing of secrets.store');
  });
});
