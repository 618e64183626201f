import { describe, expect, it } from 'vitest';
import { PERSONAL_RECORDS } from '../../../services/domain/personal/registry.ts';
import { readTables } from './page-tables.ts';

const PAGE = 'reference/personal-data.md';
const tableWith = (...head: string[]) => readTables(PAGE, head).map(({ cells }) => cells);
const named = (text: string) => `\`${text}\``;

describe('docs/reference/personal-data.md', () => {
  it('lists every sealed member, as the registry has it', () => {
    expect(tableWith('Record', 'Member', 'Class', 'Subject', 'Purpose').toSorted()).toEqual(
      Object.entries(PERSONAL_RECORDS).flatMap(([record, { subject, personal }]) => (
        personal.map((row) => [named(record), named(row.path), row.class, subject, row.purpose])
      )).toSorted(),
    );
  });

  it('says who opens them, and what is not sealed and why', () => {
    expect(tableWith('Record', 'Reader').toSorted()).toEqual(
      Object.entries(PERSONAL_RECORDS).map(([record, { readers }]) => (
        [named(record), readers.join('; ')]
      )).toSorted(),
    );
    expect(tableWith('Record', 'Member', 'Reason').map(([record, member]) => [record, member]))
      .toEqual(expect.arrayContaining([
        [named('DeviceRegistered'), named('entity_hash')],
        [named('DeliveryLocationsRecord'), named('device.external_id')],
        [named('LocationsRecord'), named('locations[].metadata')],
        [named('ProviderCommandIssued'), named('body')],
      ]));
  });
});
