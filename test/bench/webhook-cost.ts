/**
 * What a backlog of a webhook costs: `node test/bench/webhook-cost.ts [facts] [shipments]`. One
 * receiver is away for six hours by the clock of the senders while that many facts come; another
 * takes a steady stream before, meanwhile and while the first catches up. Prints time and CPU of
 * the catching up, how many facts came out of order or not at all, and what the other noticed.
 */
import { TOPICS } from '../../schemas/generated/catalog.ts';
import { REDIS_DEFAULTS } from '../../services/adapters/redis/config.ts';
import { openRedis } from '../../services/adapters/redis/open-redis.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import { eachFact } from '../../services/kernel/each-fact.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { createStates } from '../../services/state/create-states.ts';
import { openLog } from '../support/kafka-logs.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { JOURNEY } from '../support/webhook-env.ts';
import { webhookReceiver, type ReceivedPost } from '../support/webhook-receiver.ts';
import { openWebhookRun } from '../support/webhook-run.ts';

const [facts = 100_000, shipments = 2_000] = process.argv.slice(2).map(Number);
const AHEAD_MS = 6 * 3_600_000;
const STEADY_PER_TICK = 10;
const TICK_MS = 50;
const STEADY_TICKS = 200;
const SPECS = [TOPICS.journey, TOPICS.webhookOutboxes, TOPICS.webhookDeliveries];

const stack = await startOwnStack(['kafka', 'redis']);
const log = openLog('platformatic', stack.env.KAFKA_BROKERS, SPECS);
await log.admin.ensureTopics(SPECS, 1);
const redis = { ...REDIS_DEFAULTS, url: stack.env.REDIS_URL, rebuildDoubtMs: 0 };
const opened = await openRedis(redis, { signals: silentSignals, clock: systemClock });
const states = createStates(redis, opened);
await states.readiness.claimRebuild('bench', 5_000);
await states.readiness.markReady('bench');
const [away, well] = [await webhookReceiver(), await webhookReceiver()];
const run = await openWebhookRun({
  log: log.recordLog, rangeReader: log.rangeReader, states,
  extents: (topics) => log.follower.extents(topics),
});
const steadyKeys = Array.from({ length: 100 }, (_, at) => `STEADY-${at}`);
const keys = Array.from({ length: shipments }, (_, at) => `RS-${at}`);

await run.add('w-00000000c0de', well.url);
const sender = run.start();
await steady();
const before = await steady();
await run.add('w-00000000dead', away.url);
away.answer = 'cut';
await run.append(keys, facts);
await until(() => well.taken.length >= facts);
const meanwhile = await steady();
run.aheadMs = AHEAD_MS;
away.answer = 204;
const [cpu, begunMs] = [process.cpuUsage(), performance.now()];
const catching = steady();
await until(() => takenOf(away.taken) >= facts);
const seconds = (performance.now() - begunMs) / 1_000;
const { user, system } = process.cpuUsage(cpu);
const after = await catching;
await sender.stop();

const { missing, disordered } = await compare(away.taken);
process.stdout.write([
  `backlog                     ${facts} facts of ${shipments} shipments`,
  `caught up in                ${seconds.toFixed(1)} s, ${Math.round(facts / seconds)} facts a second`,
  `CPU of the process          ${((user + system) / 1e6).toFixed(1)} s, with receivers and the steady stream`,
  `missing, out of order       ${missing}, ${disordered}`,
  `posts that came again       ${away.taken.length - idsOf(away.taken).size}`,
  `the other's p50 / p99, ms   alone ${before}; beside the backlog ${meanwhile}; while it is caught up ${after}`,
  '',
].join('\n'));
for (const close of [away.close, well.close]) close();
await states.close();
await log.close(Date.now() + 1_000);
await stack.close();

/** Appends a steady stream and waits until the healthy receiver has it; gives its latency. */
async function steady(): Promise<string> {
  const from = well.taken.length;
  const posts = (): ReceivedPost[] => well.taken.slice(from).filter(({ key }) => key.startsWith('STEADY'));
  for (let tick = 0; tick < STEADY_TICKS; tick += 1) {
    const at = tick * STEADY_PER_TICK % steadyKeys.length;
    await run.append(steadyKeys.slice(at, at + STEADY_PER_TICK), STEADY_PER_TICK);
    await systemPause(TICK_MS);
  }
  await until(() => posts().length >= STEADY_TICKS * STEADY_PER_TICK);
  const latencies = posts().map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  const at = (ratio: number): number => (
    Math.round(latencies[Math.floor(latencies.length * ratio)] ?? 0)
  );
  return `${at(0.5)} / ${at(0.99)}`;
}

/** What of the log did not come, and how many ids came behind a later one of their shipment. */
async function compare(
  posts: readonly ReceivedPost[],
): Promise<{ missing: number; disordered: number }> {
  const places = new Map<string, number>();
  await eachFact(log.reader, [JOURNEY], (_, { key, topicId, partition, offset }) => {
    if (key.startsWith('RS-')) places.set(`${topicId}:${partition}:${offset}`, Number(offset));
  });
  const last = new Map<string, number>();
  let disordered = 0;
  for (const { id, key } of posts) {
    const offset = places.get(id);
    if (offset === undefined) continue;
    if ((last.get(key) ?? -1) > offset) disordered += 1;
    last.set(key, offset);
    places.delete(id);
  }
  return { missing: places.size, disordered };
}

/** How many facts of the backlog came, without those that came again. */
function takenOf(posts: readonly ReceivedPost[]): number {
  return posts.length < facts ? posts.length : idsOf(posts.filter(({ key }) => key.startsWith('RS-'))).size;
}

function idsOf(posts: readonly ReceivedPost[]): ReadonlySet<string> {
  return new Set(posts.map(({ id }) => id));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await systemPause(TICK_MS);
}
