import { describe, expect, it } from 'vitest';
import { OPEN_FIELDS, PERSONAL_RECORDS } from '../../../services/domain/personal/registry.ts';
import { readTables } from './page-tables.ts';

const PAGE = 'reference/personal-data.md';
const tableWith = (...head: string[]) => readTables(PAGE, head).map(({ cells }) => cells);
const named = (text: string) => `\`${text}\``;

describe('docs/reference/personal-data.md', () => {
  it('lists every sealed member, as the registry has it', () => {
    expect(tableWith('Record', 'Member', 'Class', 'Subject', 'Purpose')).toEqual(
      Object.entries(PERSONAL_RECORDS).flatMap(([record, { subject, personal }]) => (
        personal.map((row) => [named(record), named(row.path), row.class, subject, row.purpose])
      )),
    );
  });

  it('says who opens them, and what is not sealed and why', () => {
    expect(tableWith('Record', 'Reader')).toEqual(
      Object.entries(PERSONAL_RECORDS).map(([record, { readers }]) => (
        [named(record), readers.join('; ')]
      )),
    );
    expect(tableWith('Record', 'Member', 'Reason')).toEqual(
      OPEN_FIELDS.map(({ record, path, reason }) => [named(record), named(path), reason]),
    );
  });
});
