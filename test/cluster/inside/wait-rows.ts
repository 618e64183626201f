/** Waits until the tables hold so many locations, also while they are away for a time. */
import { waitFor } from '../../../infra/local/wait.ts';
import { answer } from '../../containers/inside/answer.ts';
import type { TableUser } from '../../containers/inside/tables.ts';

interface Question extends Required<TableUser> {
  /** So many more than are there at first; 0 counts alone. */
  readonly more: number;
  readonly deadlineMs: number;
}

const EVERY_MS = 1_000;
const ASK_MS_MAX = 60_000;

async function count({ url, user, password }: Question): Promise<number> {
  const asked = new URL(url);
  asked.searchParams.set('database', 'tracking');
  asked.searchParams.set('query', 'SELECT count() FROM v_locations');
  const said = await fetch(asked, {
    headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
    signal: AbortSignal.timeout(ASK_MS_MAX),
  });
  if (!said.ok) throw new Error(await said.text());
  return Number(await said.text());
}

await answer<Question>(async (question) => {
  let rows = await count(question);
  const wanted = rows + question.more;
  await waitFor(async () => {
    rows = await count(question).catch(() => rows);
    return rows >= wanted;
  }, { what: `${question.more} more rows`, deadlineMs: question.deadlineMs, everyMs: EVERY_MS });
  return { rows };
});
