/** Waits until the tables hold so many locations, also while they are away for a time. */
import { waitFor } from '../../../infra/local/wait.ts';
import { answer } from '../../containers/inside/answer.ts';
import type { TableUser } from '../../containers/inside/tables.ts';
import { askTables } from './ask-tables.ts';

interface Question extends Required<TableUser> {
  /** So many more than are there at first; 0 counts alone. */
  readonly more: number;
  readonly deadlineMs: number;
}

const EVERY_MS = 1_000;

async function count(question: Question): Promise<number> {
  return Number(await askTables(question, 'SELECT count() FROM v_locations'));
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
