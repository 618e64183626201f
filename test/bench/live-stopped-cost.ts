/**
 * What viewers that stop reading cost a live gateway and the others:
 * `node test/bench/live-stopped-cost.ts [readers] [stopped] [devices] [rounds] [seconds]`. In each
 * round all read, then so many more have stopped. Prints how late an update is for those who read,
 * and the most that the gateway held for one who does not.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { systemPause } from '../../services/adapters/system/system.ts';
import { EDGE_TOKEN } from '../support/edge.ts';
import { openLiveGateway } from './live-gateway.ts';

const [readers = 50, stopped = 20, devices = 10_000, rounds = 5, seconds = 10] = process.argv
  .slice(2, 7).map(Number);
const WARM_UP_MS = 3_000;
const SAMPLE_MS = 100;
const AT = /"at_ms":(\d+)/;

if (process.send === undefined) await measure();
else view(process.argv[7] ?? '', process.argv[8] === 'stops');

/** Follows so many times; those that stop take the first bytes alone. */
function view(url: string, stops: boolean): void {
  const lateMs: number[] = [];
  const wanted = stops ? stopped : readers;
  let began = 0;
  for (let viewer = 0; viewer < wanted; viewer += 1) {
    get(url, { agent: false, headers: { authorization: `Bearer ${EDGE_TOKEN}` } }, (response) => {
      response.once('data', () => {
        began += 1;
        if (stops) response.pause();
        if (began === wanted) process.send?.([]);
      });
      if (stops) return;
      response.on('data', (chunk: Buffer) => {
        const at = AT.exec(chunk.toString('latin1', 0, 1_024))?.[1];
        if (at !== undefined) lateMs.push(Date.now() - Number(at));
      });
    });
  }
  process.on('message', () => { process.send?.(lateMs.splice(0)); });
}

async function measure(): Promise<void> {
  const { url, lines } = await openLiveGateway(devices);
  const reading = await viewersOf(url, 'reads');
  await systemPause(WARM_UP_MS);
  const calm: number[] = [];
  const beside: number[] = [];
  let heldBytesMax = 0;
  for (let round = 0; round < rounds; round += 1) {
    calm.push(await p99(reading));
    const stopping = await viewersOf(url, 'stops');
    await systemPause(WARM_UP_MS);
    const sample = setInterval(() => {
      heldBytesMax = Math.max(heldBytesMax, ...[...lines].map((line) => line.waitingBytes()));
    }, SAMPLE_MS);
    beside.push(await p99(reading));
    clearInterval(sample);
    stopping.kill();
    await systemPause(WARM_UP_MS);
  }
  reading.kill();
  process.stdout.write(`${JSON.stringify({
    readers, stopped, devices, rounds,
    p99_ms_calm: calm, p99_ms_beside: beside,
    median_calm: median(calm), median_beside: median(beside), held_kb_max: heldBytesMax / 1_000,
  })}\n`);
  process.exit();
}

async function viewersOf(url: string, how: 'reads' | 'stops'): Promise<ChildProcess> {
  const words = [readers, stopped, devices, rounds, seconds].map(String);
  const child = fork(import.meta.filename, [...words, url, how]);
  await answerOf(child);
  return child;
}

/** How late an update was that 99 of 100 were before, over a round. */
async function p99(child: ChildProcess): Promise<number> {
  child.send('forget');
  await answerOf(child);
  await systemPause(seconds * 1_000);
  child.send('say');
  const late = (await answerOf(child)).toSorted((one, other) => one - other);
  return late[Math.floor(late.length * 0.99)] ?? Number.NaN;
}

function answerOf(child: ChildProcess): Promise<readonly number[]> {
  return new Promise((resolve) => { child.once('message', resolve as never); });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
