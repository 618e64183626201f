import { pause, together } from '../calls.ts';
import type { Offender, OffenderEnv } from '../offender.ts';

/** Runs one query as the analyst and counts its answer. */
async function ask({ tables, signal, count }: OffenderEnv, query: string): Promise<void> {
  const { url, user, password, database } = tables;
  try {
    const answer = await fetch(`${url}/?database=${database}`, {
      method: 'POST', body: query, signal,
      headers: { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password },
    });
    await answer.text();
    count(answer.status);
  } catch (error) {
    count((error as Error).name);
  }
}

/** So many at once, one after the other; what is refused at once is asked again a little later. */
function keepAsking(env: OffenderEnv, workers: number, query: string): Promise<void> {
  return together(env, workers, async () => {
    await ask(env, query);
    await pause(env, 20);
  });
}

const NUMBERS = 'numbers(100000000000)';

/** An analyst who asks the worst. */
export const ANALYSTS: readonly Offender[] = [
  {
    name: 'analyst-who-takes-memory', isAnalyst: true,
    does: 'groups by as many keys as there are, ten at once',
    heldBy: 'memory of a query and of the user is limited',
    run: (env) => keepAsking(env, 10,
      `SELECT number, groupArray(toString(number)) FROM ${NUMBERS} GROUP BY number`),
  },
  {
    name: 'analyst-who-takes-the-processor', isAnalyst: true, isSmoke: true,
    does: 'counts to a hundred billion, ten at once',
    heldBy: 'rows, time and threads of a query are limited, and queries at once',
    run: (env) => keepAsking(env, 10, `SELECT sum(sipHash64(number)) FROM ${NUMBERS}`),
  },
  {
    name: 'analyst-who-joins-everything', isAnalyst: true,
    does: 'joins the fixes with themselves, without a condition that ends it',
    heldBy: 'rows and time of a query are limited',
    run: (env) => keepAsking(env, 10,
      'SELECT count() FROM v_locations AS a CROSS JOIN v_locations AS b CROSS JOIN v_locations AS c'),
  },
  {
    name: 'analyst-who-asks-too-often', isAnalyst: true,
    does: 'asks small things over a hundred lines', heldBy: 'queries at once are limited',
    run: (env) => keepAsking(env, 100, 'SELECT count() FROM v_locations'),
  },
  {
    name: 'analyst-who-lifts-limits', isAnalyst: true,
    does: 'sets other limits, and reads tables, files and addresses',
    heldBy: 'limits of an analyst are fixed, and only views are granted',
    run: (env) => together(env, 4, async (nth) => {
      await ask(env, [
        'SELECT 1 SETTINGS max_memory_usage = 100000000000',
        'SELECT 1 SETTINGS readonly = 0',
        "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
        "SELECT * FROM file('/etc/passwd', 'LineAsString')",
        'SELECT count() FROM locations', 'SYSTEM STOP MERGES', 'KILL QUERY WHERE 1 SYNC',
      ][nth % 7] ?? 'SELECT 1');
      await pause(env, 10);
    }),
  },
];
