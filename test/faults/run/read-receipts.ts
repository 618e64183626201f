import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { basic, callAt } from '../../support/platform-calls.ts';
import { readLines } from '../checker/collect/files.ts';
import type { Dice } from '../dice.ts';
import type { HistoryLine } from '../history.ts';
import { RUN_FILES, type CallReceipt } from '../run-files.ts';
import { openLines } from '../workload/history-writer.ts';
import type { Tenancy } from './tenancy.ts';

/** As many as the pages of one person ask for at once. */
const READERS = 4;
const ENDED_MS_MAX = 60_000;
const POLL_MS = 500;

/** How many items are asked for; which is by chance. */
interface ReceiptWishes {
  readonly itemsMax: number;
  readonly dice: Dice;
  /** Aborted when no further one is wanted. */
  readonly leaving: AbortSignal;
}

/**
 * Asks the gateways, as the console and the platform do, how accepted calls of the run ended, until
 * `itemsMax` items are among them: first those that were sent again, as their items may be
 * duplicates, then others by chance. Writes down each answer for the checker.
 */
export async function readReceipts(
  { dir, cluster, history, residents }: Tenancy, { itemsMax, dice, leaving }: ReceiptWishes,
): Promise<void> {
  await history.flushed();
  const accepted = (await readLines<HistoryLine>(dir, RUN_FILES.history))
    .filter(({ outcome, ingest_id, items }) => (
      outcome === 'ok' && ingest_id !== null && items.length > 0
    ));
  const chosen = chosenOf(accepted, itemsMax, dice);
  const urls = cluster.addresses.gateways;
  const [url = ''] = urls;
  const { client_id, client_secret } = residents.reader;
  const { body } = await callAt(url, '/oauth/token', {
    body: { audience: 'platform', grant_type: 'client_credentials' },
    headers: { authorization: basic(client_id, client_secret) },
  });
  const token = String(body['access_token']);
  const lines = openLines<CallReceipt>(join(dir, RUN_FILES.receipts));
  try {
    const waiting = chosen.values();
    const readAll = async (): Promise<void> => {
      for (const ingest_id of waiting) {
        if (leaving.aborted) return;
        lines.write({ ingest_id, ...await ended(dice.pick(urls), ingest_id, token) });
      }
    };
    await Promise.all(Array.from({ length: READERS }, readAll));
  } finally {
    await lines.close();
  }
}

function chosenOf(
  accepted: readonly HistoryLine[], itemsMax: number, dice: Dice,
): readonly string[] {
  const chosen: string[] = [];
  let items = 0;
  for (const isRepeat of [true, false]) {
    const left = accepted.filter(({ attempt }) => (attempt > 1) === isRepeat);
    while (items < itemsMax && left.length > 0) {
      const [line] = left.splice(dice.between(0, left.length - 1), 1);
      chosen.push(line?.ingest_id ?? '');
      items += line?.items.length ?? 0;
    }
  }
  return chosen;
}

/** The answer once it says that nothing waits; the last one when it never does. */
async function ended(
  url: string, ingestId: string, token: string,
): Promise<Omit<CallReceipt, 'ingest_id'>> {
  const deadline = performance.now() + ENDED_MS_MAX;
  for (;;) {
    const { status, body } = await callAt(url, `/platform/ingest/${ingestId}`, { method: 'GET', token });
    if (body['settled'] === true || performance.now() > deadline) return { status, receipt: body };
    await delay(POLL_MS);
  }
}
