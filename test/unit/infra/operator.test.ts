import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeServices } from '../../../infra/check/compose-files.ts';
import { COMMAND_SOURCES, lacking, settingsReadIn } from '../../../infra/check/operator.ts';
import { OPERATOR_SETTINGS } from '../../../infra/check/operator-settings.ts';
import { resourcesOf } from '../../../infra/check/resources.ts';
import { readOperatorConfig } from '../../../services/cli/config.ts';

const read = (path: string): string => readFileSync(join(process.cwd(), 'infra/kubernetes', path), 'utf8');
const NIGHTLY = '---\nkind: CronJob\nmetadata: {name: rastro-archive}\n';

describe('the settings of operators', () => {
  it('are all that the command line reads, and no more', () => {
    const names = settingsReadIn(...COMMAND_SOURCES.map((folder) => join(process.cwd(), folder)));
    const backup = Object.keys(OPERATOR_SETTINGS).filter((name) => name.startsWith('RASTRO_BACKUP_'));
    expect([...names, ...backup].toSorted()).toEqual(Object.keys(OPERATOR_SETTINGS).toSorted());
  });

  it('are missed in a Pod that has them not, those of the archive where there is one', () => {
    const pod = read('base/command-line.yaml');
    const shared = ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'CLICKHOUSE_URL', 'CLICKHOUSE_DATABASE'];
    expect(lacking(resourcesOf(pod))).toEqual(shared);
    expect(lacking(resourcesOf(pod.replace('name: RASTRO_VAULT_KEY', 'name: OTHER'))))
      .toEqual([...shared, 'RASTRO_VAULT_KEY']);
    expect(lacking(resourcesOf(`${pod}\n${NIGHTLY}`))).toEqual([
      ...shared, 'RASTRO_ARCHIVE_STORAGE', 'RASTRO_ARCHIVE_ACCESS_KEY_ID', 'RASTRO_ARCHIVE_SECRET_ACCESS_KEY',
    ]);
  });

  it('of the compose file are a configuration that commands take', () => {
    const { rastro } = composeServices(process.cwd());
    expect(readOperatorConfig({ ...rastro?.environment })).toMatchObject({
      vaultKey: '${RASTRO_VAULT_KEY:?}', personalKey: 'own:${RASTRO_PERSONAL_KEY:?}',
      redis: { url: 'redis://redis:6379' }, tables: { user: 'admin' }, imageDir: '/images',
    });
  });
});
