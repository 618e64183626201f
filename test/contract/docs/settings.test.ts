import { describe, expect, it } from 'vitest';
import { settingsReadIn } from '../../../infra/check/operator.ts';
import { backupSettings } from '../../../services/adapters/config/backup.ts';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import {
  commandLineSettings, isKnownName, providerSettings, toolSettings,
} from '../../../services/adapters/config/others.ts';
import type { Setting, Settings } from '../../../services/adapters/config/setting.ts';
import { workersSettings } from '../../../services/adapters/config/workers.ts';
import { readConfig } from '../../../services/provider/config.ts';
import { readTables } from './page-tables.ts';

const HEAD = ['Setting', 'Meaning', 'Type', 'Default', 'Bounds', 'Read by'];
const plain = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '');
const rows = readTables('reference/settings.md', HEAD).map(({ cells }) => cells);

const programs: readonly (readonly [string, Settings])[] = [
  ['gateways', gatewaysSettings], ['workers', workersSettings], ['backup', backupSettings],
  ['provider', providerSettings], ['command line', commandLineSettings], ['scripts', toolSettings],
];

describe('docs/reference/settings.md', () => {
  it.each(programs)('has each setting of %s once, with default and secrecy', (program, settings) => {
    for (const [name, setting] of Object.entries<Setting>(settings)) {
      const found = rows.filter(([own, , , , , readBy]) => (
        plain(own) === name && readBy?.split(', ').includes(program)
      ));
      expect([name, found.length]).toEqual([name, 1]);
      const [, meaning, type = '', fallback = ''] = found[0] ?? [];
      expect(meaning).toBe(setting.description);
      expect([name, type.endsWith('secret')]).toEqual([name, setting.secret === true]);
      const isMandatory = setting.default === undefined && setting.optional !== true;
      expect([name, fallback === '**mandatory**']).toEqual([name, isMandatory]);
    }
  });

  it('has the unit beside a number whose name ends with one', () => {
    const typeOf = (name: string): string | undefined => (
      rows.find(([own]) => plain(own) === name)?.[2]
    );
    expect(typeOf('RASTRO_DRAIN_MS_MAX')).toBe('integer, ms');
    expect(typeOf('RASTRO_HTTP_BODY_BYTES_IN_FLIGHT_MAX')).toBe('integer, bytes');
    expect(typeOf('RASTRO_TOKEN_REQUESTS_PER_MINUTE')).toBe('integer, requests a minute');
    expect(typeOf('RASTRO_TRACES_RATIO')).toBe('number, from 0 to 1');
  });
});

describe('the settings of others', () => {
  it('are all that the provider reads, with the defaults that it takes', () => {
    expect(settingsReadIn('services/provider').filter((name) => name.startsWith('RASTRO_')))
      .toEqual(Object.keys(providerSettings).toSorted());
    const least = {
      RASTRO_URL: 'http://x', RASTRO_CLIENT_ID: 'c', RASTRO_CLIENT_SECRET: 's',
      RASTRO_PROVIDER: 'p', RASTRO_PROVIDER_COMMAND_TOKEN: 't',
    };
    const settings = Object.entries<Setting>(providerSettings);
    const whole: NodeJS.ProcessEnv = { ...least };
    for (const [name, { default: value }] of settings) {
      if (value !== undefined) whole[name] = String(value);
    }
    expect(readConfig(whole, [])).toEqual(readConfig(least, []));
  });

  it('are known everywhere, and a misspelling of one is not', () => {
    expect(isKnownName('RASTRO_ACTOR')).toBe(true);
    expect(isKnownName('RASTRO_ACTORS')).toBe(false);
  });
});
