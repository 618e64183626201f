/**
 * What a live gateway costs: `node test/bench/live-cost.ts [viewers] [devices] [seconds] [format]`.
 * Every device posts one fix a second; the viewers are in a process of their own. Prints the CPU
 * of the gateway as a share of a core, its memory, and what the viewers read, from when all do.
 */
import { fork } from 'node:child_process';
import { get } from 'node:http';
import { systemPause } from '../../services/adapters/system/system.ts';
import { EDGE_TOKEN } from '../support/edge.ts';
import { openLiveGateway } from './live-gateway.ts';

const [viewers = 50, devices = 10_000, seconds = 10] = process.argv.slice(2, 5).map(Number);
const format = process.argv[5] ?? 'json';
const WARM_UP_MS = 3_000;

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
  const { url } = await openLiveGateway(devices);
  const child = fork(import.meta.filename, [
    String(viewers), String(devices), String(seconds), format, `${url}?format=${format}`,
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
