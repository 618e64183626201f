import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gatewaysSettings } from '../../../services/adapters/config/gateways.ts';
import { LIMIT_MEMBERS, LIMIT_NAMES } from '../../../services/kernel/client-rates.ts';
import {
  BODY_BYTES_MAX, BODY_DEPTH_MAX, BODY_NAMES_MAX, BODY_VALUES_MAX, CALL_BYTES_INCLUDED,
  NOTIFICATIONS_BYTES_MAX,
} from '../../../services/kernel/limits.ts';
import { readTables } from './page-tables.ts';
import { TENANT_LIMIT_NAMES } from '../../../services/kernel/tenant-limits.ts';

const RATES = [
  'Limit', 'Name in answers', 'Per second', 'Setting', 'At once', 'Setting of it', 'Of one client',
];
const plain = (cell: string | undefined): string => (cell ?? '').replaceAll('`', '');

function itemsMaxOf(schema: string, list?: string): number | undefined {
  const whole = JSON.parse(readFileSync(`schemas/http/${schema}.json`, 'utf8')) as {
    readonly maxItems?: number;
    readonly oneOf?: readonly { readonly maxItems?: number }[];
    readonly properties?: Readonly<Record<string, { readonly maxItems?: number }>>;
  };
  if (list !== undefined) return whole.properties?.[list]?.maxItems;
  return whole.maxItems ?? whole.oneOf?.map(({ maxItems }) => maxItems).find((max) => max);
}

describe('docs/reference/limits.md', () => {
  const rates = readTables('reference/limits.md', RATES).map(({ cells }) => cells);

  it('has every limit by its name, with the member of a client that sets it', () => {
    expect(rates.map((cells) => [plain(cells[1]), plain(cells[6])]))
      .toEqual(LIMIT_NAMES.map((name) => [name, LIMIT_MEMBERS[name]]));
  });

  it.each(rates.flatMap((cells) => [[cells[3], cells[2]], [cells[5], cells[4]]]))(
    'is right about the default of %s', (setting, value) => {
      const found = Object.entries(gatewaysSettings).find(([name]) => name === plain(setting));
      expect(found?.[1] as unknown).toMatchObject({ default: Number(value) });
    },
  );

  it('has every limit of a user by its name', () => {
    const ofUsers = readTables(
      'reference/limits.md', ['Limit', 'Name in answers', 'How much', 'Setting', 'Of one client'],
    ).map(({ cells }) => cells);
    const { RASTRO_TENANT_CLIENTS_MAX, RASTRO_TENANT_BYTES_PER_DAY } = gatewaysSettings;
    expect(ofUsers.map((cells) => [plain(cells[1]), cells[2], plain(cells[3])])).toEqual(
      TENANT_LIMIT_NAMES.map((name) => (name === 'tenant-bytes'
        ? [name, String(RASTRO_TENANT_BYTES_PER_DAY.default), 'RASTRO_TENANT_BYTES_PER_DAY']
        : [
          name, `${RASTRO_TENANT_CLIENTS_MAX.default} times the greatest of its clients`,
          'RASTRO_TENANT_CLIENTS_MAX',
        ])),
    );
  });

  it('is right about sizes', () => {
    const most = readTables('reference/limits.md', ['What', 'At most'])
      .map(({ cells: [, value] }) => Number.parseInt(value ?? '', 10));
    expect(most).toEqual([
      BODY_BYTES_MAX, NOTIFICATIONS_BYTES_MAX, BODY_DEPTH_MAX,
      BODY_VALUES_MAX, BODY_NAMES_MAX,
      itemsMaxOf('locations-body', 'locations'), itemsMaxOf('telemetry-events-body', 'events'),
      itemsMaxOf('notifications-body'),
    ]);
    expect(readFileSync('docs/reference/limits.md', 'utf8'))
      .toContain(`beyond ${CALL_BYTES_INCLUDED.toLocaleString('en-US')} a call`);
  });
});
