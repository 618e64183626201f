import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import type { Container, Resource } from '../../../infra/check/resources.ts';
import { grantsOfCatalog } from '../../../infra/kafka/grants.ts';
import { readOperatorConfig } from '../../../services/cli/config.ts';
import { baseSettings } from './base-settings.ts';

const KUBERNETES = join(process.cwd(), 'infra/kubernetes');
const read = (path: string): string => readFileSync(join(KUBERNETES, path), 'utf8');

interface SecretRef { readonly secretKeyRef: { readonly name: string; readonly key: string } }

function container(): Container {
  const { spec } = parse(read('base/command-line.yaml')) as Resource;
  const [found] = spec?.template?.spec.containers ?? [];
  if (found === undefined) throw new Error('The Pod has no container.');
  return found;
}

function env(): Readonly<Record<string, string>> {
  const own = (container().env ?? []).map(({ name, value }) => [name, value ?? 'a-secret'] as const);
  return { ...baseSettings(), ...Object.fromEntries(own) };
}

describe('the Pod of the command line', () => {
  it('is in the base', () => {
    expect(read('base/kustomization.yaml')).toContain('- command-line.yaml\n');
  });

  it('has all that the commands of runbooks ask for', () => {
    expect(readOperatorConfig(env())).toMatchObject({
      vaultKey: 'a-secret', redis: { url: 'a-secret' },
      tables: { url: baseSettings()['CLICKHOUSE_URL'], user: 'admin', password: 'a-secret' },
    });
  });

  it('is a user of the log that has rights there', () => {
    const user = env()['KAFKA_SASL_USERNAME'];
    expect(grantsOfCatalog().filter((each) => each.user === user).length).toBeGreaterThan(0);
  });

  it('asks only for secrets that the external store brings, or that of its Kafka user', () => {
    const store = read('components/external-secrets/secrets.yaml').split(/^---$/m);
    for (const { valueFrom } of container().env ?? []) {
      if (valueFrom === undefined) continue;
      const { name, key } = (valueFrom as SecretRef).secretKeyRef;
      if (name === 'kafka-user-operator') continue;
      expect(store.find((text) => text.includes(`\n  name: ${name}\n`))).toContain(`secretKey: ${key}\n`);
    }
  });

  it('waits until it is asked to end, and then ends at once', async () => {
    const [flag = '', program = ''] = container().args ?? [];
    const child = spawn(process.execPath, [
      flag, `${program}; process.stdout.write("waits")`,
    ], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('is what the page about operation and the runbooks name', () => {
    const typed = 'kubectl -n rastro exec deploy/command-line -- node services/cli/main.ts';
    for (const path of ['../../docs/how-to/operate.md', '../../docs/runbooks/README.md']) {
      expect(read(path)).toContain(typed);
    }
  });
});
