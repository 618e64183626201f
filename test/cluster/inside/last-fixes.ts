/** Where each device is, as analysts ask it, in the lines of `PrettySpace`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableUser } from '../../containers/inside/tables.ts';
import { answer } from '../../containers/inside/answer.ts';
import { askTables } from './ask-tables.ts';

interface Question extends Required<TableUser> {
  readonly provider: string;
  readonly devicesMax: number;
}

const SQL = join(import.meta.dirname, '../../../docs/queries/last-fixes.sql');

await answer<Question>(async ({ provider, devicesMax, ...user }) => ({
  lines: await askTables(
    user, `${readFileSync(SQL, 'utf8')} LIMIT ${devicesMax} FORMAT PrettySpace`, { provider },
  ),
}));
