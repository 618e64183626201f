import { resolve } from 'node:path';
import type { HistoryLine } from '../history.ts';
import {
  RUN_FILES, type CallReceipt, type FaultLine, type ProviderRequest, type Sample, type ViewLine,
  type WebhookPost,
} from '../run-files.ts';
import { readClickhouse } from './collect/clickhouse.ts';
import { findCanaries, readEnds, readLines, readRunRecord } from './collect/files.ts';
import { readKafka } from './collect/kafka.ts';
import { readRedis, wipeAndRead } from './collect/redis.ts';
import { spansOf, type Evidence, type LooseFields } from './evidence.ts';
import { readFinalCodes } from './final-codes.ts';
import { checkEvidence } from './check-evidence.ts';
import type { CheckReport } from './report.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const NS_PER_MS = 1_000_000;

/**
 * Checks a finished run from what it left in `directory` (run-files.ts) and from the stack, which
 * must still run: reads the whole log, both stores and the provider's record. With `wipe`, Redis is
 * emptied at the end and must come back the same (I3).
 */
export async function checkRun(
  directory: string, options: { readonly wipe: boolean },
): Promise<CheckReport> {
  return checkEvidence(await collect(directory, options.wipe));
}

/** Everything that is known of the run; Redis is emptied last, when all else has been read. */
async function collect(directory: string, wipe: boolean): Promise<Evidence> {
  const run = readRunRecord(directory);
  const beginNs = BigInt(run.epoch.t_ns);
  const msOf = (ns: string): number => Number(BigInt(ns) - beginNs) / NS_PER_MS;
  const history = await readLines<HistoryLine>(directory, RUN_FILES.history);
  const requests = await readLines<ProviderRequest>(directory, RUN_FILES.provider);
  const posts = await readLines<WebhookPost>(directory, RUN_FILES.webhooks);
  const views = await readLines<ViewLine>(directory, RUN_FILES.views);
  const faults = await readLines<FaultLine>(directory, RUN_FILES.faults);
  const samples = await readLines<Sample>(directory, RUN_FILES.samples);
  const state = await readRedis(run.stack.state_urls);
  const guests = new Set(run.guests);
  return {
    run,
    tries: history.map((line) => (
      { ...line, from: msOf(line.t_invoke_ns), to: msOf(line.t_return_ns) }
    )).sort((a, b) => a.to - b.to),
    log: (await readKafka(run.stack.brokers)).filter(({ value }) => !isOf(guests, value)),
    rows: (await readClickhouse(run.stack)).filter(({ client_id, provider }) => (
      !guests.has(client_id) && !guests.has(provider)
    )),
    state,
    requests: requests.map((request) => ({ ...request, at: msOf(request.t_ns) }))
      .sort((a, b) => a.at - b.at),
    posts: posts.map((post) => ({ ...post, at: msOf(post.t_ns) })).sort((a, b) => a.at - b.at),
    views: views.map((view) => ({ ...view, at: msOf(view.t_ns) })),
    receipts: await readLines<CallReceipt>(directory, RUN_FILES.receipts),
    faults: spansOf(faults, msOf),
    samples: samples.filter(({ process }) => process !== 'lag'),
    ends: await readEnds(directory, run),
    sightings: await findCanaries(directory, run),
    finalCodes: readFinalCodes(REPOSITORY),
    rebuilt: wipe ? await wipeAndRead(run.stack.state_urls) : undefined,
  };
}

/** True when a member of the record names a guest. */
function isOf(guests: ReadonlySet<string>, value: LooseFields | undefined): boolean {
  return guests.size > 0 && value !== undefined
    && Object.values(value).some((member) => typeof member === 'string' && guests.has(member));
}
