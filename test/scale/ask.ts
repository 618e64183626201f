/** What one question cost, from the head of its answer. */
export interface QueryCost {
  readonly seconds: number;
  readonly megaRows: number;
  readonly megaBytes: number;
  readonly memoryMegaBytes: number;
  /** Rows of the answer. */
  readonly answeredRows: number;
}

/** How a question went: its cost, or why it failed. */
export type QueryTry =
  | { readonly ok: true; readonly cost: QueryCost }
  | { readonly ok: false; readonly reason: string };

/** Who asks, and where. */
export interface Asker {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Asks with the limits of the user, and reads the whole answer. */
export async function ask(
  { url, user, password, database }: Asker, sql: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<QueryTry> {
  const words = new URLSearchParams({ database, wait_end_of_query: '1' });
  for (const [name, value] of Object.entries(parameters)) words.set(`param_${name}`, value);
  const answer = await fetch(`${url}/?${words.toString()}`, {
    method: 'POST', body: sql,
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
  });
  const text = await answer.text();
  if (!answer.ok) return { ok: false, reason: text.split('\n')[0]?.slice(0, 200) ?? '' };
  const summary = JSON.parse(answer.headers.get('x-clickhouse-summary') ?? '{}') as
    Readonly<Record<string, string>>;
  const mega = (name: string): number => Number(summary[name] ?? 0) / 1e6;
  return { ok: true, cost: {
    seconds: Number(summary['elapsed_ns'] ?? 0) / 1e9,
    megaRows: mega('read_rows'), megaBytes: mega('read_bytes'),
    memoryMegaBytes: mega('memory_usage'), answeredRows: Number(summary['result_rows'] ?? 0),
  } };
}
