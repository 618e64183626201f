/**
 * What a live gateway costs: `node test/bench/live-cost.ts [viewers] [devices] [seconds] [format]`.
 * Every device posts one fix a second; the viewers are in a process of their own. Prints the CPU
 * of the gateway as a share of a core, its memory, and what the viewers read, from when all do.
 */
import { fork } from 'node:child_process';
import { get } from 'node:http';
import { createOffsetSeals } from '../../services/adapters/secrets/offset-seals.ts';
import { systemClock, systemPause } from '../../services/adapters/system/system.ts';
import { createLive } from '../../services/gateways/live/create-live.ts';
import { LIVE_LIMITS } from '../../services/gateways/live/limits.ts';
import { followFixes } from '../../services/gateways/live/operations/follow-fixes.ts';
import type { LogFollower } from '../../services/kernel/log-follower.ts';
import { silentSignals } from '../../services/kernel/signals.ts';
import { EDGE_TOKEN, openEdge } from '../support/edge.ts';
import { post } from '../support/live-feeds.ts';

const [viewers = 50, devices = 10_000, seconds = 10] = process.argv.slice(2, 5).map(Number);
const format = process.argv[5] ?? 'json';
const WARM_UP_MS = 3_000;
const PARTITIONS = 12;

if (process.send === undefined) await measure();
else view(process.argv[6] ?? '');

/** Follows so many times, reads and counts. */
function view(url: string): void {
  let bytes = 0;
  let reading = 0;
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    get(url, { agent: false, headers: { authorization: `Bearer ${EDGE_TOKEN}` } }, (response) => {
      response.on('data', (chunk: Buffer) => { bytes += chunk.length; });
      response.once('data', () => {
        reading += 1;
        if (reading === viewers) process.send?.(bytes = 0);
      });
    });
  }
  process.on('message', () => {
    process.send?.(bytes);
    process.exit();
  });
}

async function measure(): Promise<void> {
  const live = createLive(LIVE_LIMITS, {
    follower: eachSecond(), reader: { readRanges: () => Promise.resolve() },
    watch: { firstSince: () => Promise.resolve(new Map()) },
    access: { findClient: () => Promise.resolve(undefined) },
    directory: { clientsOf: () => Promise.resolve([]) },
    lastFixes: {
      isComplete: () => Promise.resolve(true),
      find: () => Promise.resolve(undefined),
      findWithin: () => Promise.resolve({ fixes: [], next: undefined }),
    },
    seals: createOffsetSeals('pepper-of-a-bench'), projectorGroup: 'none',
    clock: systemClock, pause: systemPause, signals: silentSignals,
  });
  void live.run();
  const edge = await openEdge({
    operations: followFixes(live),
    server: { connectionsMax: 4_096, connectionsPerAddressMax: 4_096 },
    admission: {
      read: () => Promise.resolve({
        caller: {
          clientId: '3', userId: '3', audience: 'platform', scopes: ['platform:read'], providers: [],
        },
        device: undefined, quota: undefined,
      }),
    },
  });
  while (!live.isReady()) await systemPause(10);
  const url = `${edge.url}/platform/live/positions?format=${format}`;
  const child = fork(import.meta.filename, [
    String(viewers), String(devices), String(seconds), format, url,
  ]);
  await new Promise((resolve) => { child.once('message', resolve); });
  await systemPause(WARM_UP_MS);
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()];
  await systemPause(seconds * 1_000);
  const { user, system } = process.cpuUsage(cpu);
  const took = (performance.now() - startedMs) / 1_000;
  const read = new Promise<number>((resolve) => { child.once('message', resolve as never); });
  child.send('end');
  process.stdout.write(`${JSON.stringify({
    viewers, devices, format,
    cpu_percent: Math.round((user + system) / took / 10_000),
    rss_mb: Math.round(process.memoryUsage().rss / 1e6),
    read_mb: Math.round(await read / 1e6), seconds: Math.round(took),
  })}\n`);
  process.exit();
}

/** A log to which every device adds a post each second, a twentieth of them every 50 ms. */
function eachSecond(): LogFollower {
  return {
    extents: (topics) => Promise.resolve(topics.flatMap((topic) => (
      Array.from({ length: PARTITIONS }, (_, partition) => (
        { topic, topicId: topic, partition, start: 0n, end: 0n }
      ))
    ))),
    committed: () => Promise.resolve(new Map()),
    async follow(_from, onRecords, left) {
      const offsets = Array<number>(PARTITIONS).fill(0);
      const ids = Array.from({ length: devices }, (_, nth) => (
        `00000000-0000-8000-8000-${String(nth).padStart(12, '0')}`
      ));
      for (let tick = 0; !left.aborted; tick += 1) {
        const begins = performance.now();
        const second = Math.floor(tick / 20);
        onRecords(ids.filter((_, nth) => nth % 20 === tick % 20).map((id, nth) => {
          const partition = nth % PARTITIONS;
          const offset = offsets[partition] ?? 0;
          offsets[partition] = offset + 1;
          return post(offset, id, second, 48 + (second % 1_000) / 10_000, { partition });
        }));
        await systemPause(Math.max(1, 50 - (performance.now() - begins)));
      }
    },
  };
}
