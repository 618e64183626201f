import { waitFor } from '../../../infra/local/wait.ts';
import type { TestCluster } from '../../faults/cluster/cluster.ts';
import type { Instruction } from './instructions.ts';

const ASK_MS_MAX = 30_000;
const FOUND_MS_MAX = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Asks each question once: of our views as an analyst, of the server's own tables as admin. Throws
 * what ClickHouse says about a wrong one.
 */
export async function askTables(
  cluster: TestCluster, instructions: readonly Instruction[],
): Promise<string> {
  const texts = [...new Set(instructions.map(({ text }) => text))];
  const rows: number[] = [];
  for (const text of texts) {
    const isOurs = !text.includes('FROM system.');
    rows.push((await ask(cluster, lastHour(text), isOurs)).length);
  }
  return `${texts.length} asked, ${rows.filter((count) => count > 0).length} had rows`;
}

/** A device and a shipment that came with the load, as soon as an analyst can see them. */
export async function someOf(
  cluster: TestCluster,
): Promise<{ readonly device: string; readonly shipment: string }> {
  let [device, shipment] = ['', ''];
  await waitFor(async () => {
    device = (await ask(cluster, 'SELECT device_id FROM v_devices LIMIT 1', true))[0] ?? '';
    shipment = (await ask(
      cluster, 'SELECT tracking_number FROM v_authorizations LIMIT 1', true,
    ))[0] ?? '';
    return device !== '' && shipment !== '';
  }, { what: 'A device and a shipment in the tables', deadlineMs: FOUND_MS_MAX, everyMs: 500 });
  return { device, shipment };
}

/** The lines of an answer, a row each. */
async function ask(
  { addresses, env }: TestCluster, query: string, asAnalyst: boolean,
): Promise<readonly string[]> {
  const { clickhouse_url, clickhouse_user, clickhouse_password, clickhouse_database } = addresses;
  const answer = await fetch(`${clickhouse_url}/?database=${clickhouse_database}`, {
    method: 'POST', body: query, signal: AbortSignal.timeout(ASK_MS_MAX),
    headers: {
      'X-ClickHouse-User': asAnalyst ? env.ANALYST_USER : clickhouse_user,
      'X-ClickHouse-Key': asAnalyst ? env.ANALYST_PASSWORD : clickhouse_password,
    },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${query}: ${text.slice(0, 300)}`);
  return text.split('\n').filter((line) => line !== '');
}

/** Pages leave the time to who asks. */
function lastHour(question: string): string {
  const utc = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  return question.replaceAll('BEGIN', utc(Date.now() - HOUR_MS)).replaceAll('END', utc(Date.now()));
}
