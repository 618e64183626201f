import type { TableUser } from '../../containers/inside/tables.ts';

const ASK_MS_MAX = 60_000;

/** Asks the tables over HTTP for the text of an answer; throws what they say instead of one. */
export async function askTables(
  { url, user, password }: Required<TableUser>, sql: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<string> {
  const asked = new URL(url);
  asked.searchParams.set('database', 'tracking');
  for (const [name, value] of Object.entries(parameters)) {
    asked.searchParams.set(`param_${name}`, value);
  }
  const said = await fetch(asked, {
    method: 'POST', body: sql,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
    signal: AbortSignal.timeout(ASK_MS_MAX),
  });
  if (!said.ok) throw new Error(await said.text());
  return (await said.text()).trimEnd();
}
