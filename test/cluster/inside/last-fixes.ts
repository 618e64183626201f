/** Where each device is, as analysts ask it, in the lines of `PrettySpace`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableUser } from '../../containers/inside/tables.ts';
import { answer } from '../../containers/inside/answer.ts';

interface Question extends Required<TableUser> {
  readonly provider: string;
  readonly devicesMax: number;
}

const SQL = join(import.meta.dirname, '../../../docs/queries/last-fixes.sql');
const ASK_MS_MAX = 60_000;

await answer<Question>(async ({ url, user, password, provider, devicesMax }) => {
  const asked = new URL(url);
  asked.searchParams.set('database', 'tracking');
  asked.searchParams.set('param_provider', provider);
  const said = await fetch(asked, {
    method: 'POST', body: `${readFileSync(SQL, 'utf8')} LIMIT ${devicesMax} FORMAT PrettySpace`,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
    signal: AbortSignal.timeout(ASK_MS_MAX),
  });
  if (!said.ok) throw new Error(await said.text());
  return { lines: (await said.text()).trimEnd() };
});
