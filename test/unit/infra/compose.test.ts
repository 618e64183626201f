import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { composeServices, type ComposeServices } from '../../../infra/check/compose-files.ts';
import { wrongsOfService } from '../../../infra/check/compose.ts';
import { unwritable } from '../../../infra/check/compose-folders.ts';
import { idleDemo } from '../../../infra/check/settings.ts';

const services = composeServices(process.cwd());

/** The same file with other fields of one service. */
function changed(name: string, fields: object): ComposeServices {
  return { ...services, [name]: { ...services[name], ...fields } };
}

describe('the volumes of the compose file', () => {
  it('belong to those who write there, before these start', () => {
    expect(unwritable(services)).toEqual([]);
  });

  it.each([
    ['registry', 'registry'], ['images', 'gateways'], ['images', 'workers'], ['demo', 'demo'],
    ['clickhouse-backups', 'clickhouse'], ['clickhouse-backups', 'backup'],
  ])('are missed where %s stays with root: %s writes there', (volume, name) => {
    const command = services['folders']?.command?.filter((word) => !word.includes(`/${volume}=`));
    expect(unwritable(changed('folders', { command })).join('\n'))
      .toContain(`${name} may not write ${volume}`);
  });

  it('are missed where a service does not wait for the job', () => {
    expect(unwritable(changed('registry', { depends_on: {} })))
      .toEqual(['registry does not wait for folders']);
  });

  it('are missed where a new service has no known user', () => {
    const fresh = changed('new', { image: 'some/part:1', volumes: ['kafka:/data'] });
    expect(unwritable(fresh)).toHaveLength(2);
  });

  it('are given away by the program of the job', () => {
    const [flag = '', program = '', ...words] = services['folders']?.command ?? [];
    const watched = 'require("node:fs").chownSync = (...all) => {'
      + ' process.stdout.write(`${all.join(" ")}\\n`); };';
    const { stdout } = spawnSync(process.execPath, [flag, `${watched}${program}`, ...words], {
      encoding: 'utf8',
    });
    expect(stdout.trim().split('\n')).toEqual([
      '/volumes/images 10001 10001', '/volumes/demo 10001 10001', '/volumes/registry 1001 1001',
      '/volumes/clickhouse-backups 101 101',
    ]);
  });
});

describe('the health checks of the compose file', () => {
  it('ask for nothing that only the newest engines have', () => {
    const wrongs = Object.entries(services)
      .flatMap(([name, service]) => wrongsOfService(name, service, services));
    expect(wrongs).toEqual([]);
    const healthcheck = { test: ['CMD', 'true'], start_interval: '1s' };
    expect(wrongsOfService('redis', { ...services['redis'], healthcheck }, services))
      .toEqual(['redis has a start_interval, which Docker Engine before 25 refuses']);
  });
});

describe('the demonstration of the compose file', () => {
  it('has devices that drive', () => {
    expect(idleDemo(services)).toEqual([]);
    const { RASTRO_REPLAY_DEVICES: _devices, ...environment } = services['demo']?.environment ?? {};
    expect(idleDemo(changed('demo', { environment })))
      .toEqual(['demo: RASTRO_REPLAY_DEVICES is 0, so nothing drives']);
  });
});
