import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatewayProcesses, workerProcesses } from '../../../infra/generate/processes.ts';
import { drawSecrets } from '../../cluster/product/secrets.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const USERS = join(ROOT, 'infra/kubernetes/components/clickhouse/users.xml');

describe('the secrets that a rehearsal draws', () => {
  const drawn = drawSecrets(ROOT, { certificate: '', brokerSettings: '' });

  it.each([...gatewayProcesses(), ...workerProcesses()])(
    'are all that $name waits for', ({ secrets }) => {
      const missing = secrets.filter(({ secret, key }) => drawn[secret]?.[key] === undefined);
      expect(missing).toEqual([]);
    },
  );

  it('are all that the users of the tables wait for', () => {
    const wanted = [...readFileSync(USERS, 'utf8').matchAll(/from_env="(\w+)"/g)]
      .map(([, name = '']) => name);
    expect(wanted).not.toHaveLength(0);
    expect(Object.keys(drawn['rastro-clickhouse'] ?? {})).toEqual(expect.arrayContaining(wanted));
  });
});
