import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { systemPause } from '../../../services/adapters/system/system.ts';
import { readOverflow } from '../../../services/kernel/read-overflow.ts';
import { openTwoWriters, type TwoWriters } from './two-writers.ts';

const WAIT = { timeout: 60_000, interval: 100 };
/** The writer takes 200 records a second; acme sends twice as many, calm five. */
const RECORD_MS = 5;
const ROUND = { everyMs: 200, acme: 80, calm: 1 };
const LATE_MS = 3_000;
const DEVICES = ['a0', 'a1', 'a2', 'a3'];

let env: TwoWriters;
beforeAll(async () => {
  env = await openTwoWriters({ recordMs: RECORD_MS, floods: {
    lateMsMin: LATE_MS, windowMs: 500, fixesMin: 20, holdMs: 600_000,
  } });
}, 60_000);
afterAll(() => env.close());

/** Both providers send until `end` is called. */
function send() {
  let ended = false;
  const rounds = (async () => {
    for (let round = 0; !ended; round += 1) {
      await Promise.all([
        ...DEVICES.map((device) => env.post(device, ROUND.acme / DEVICES.length, 'acme')),
        // One device of two providers: its order holds across both ways.
        env.post('shared', 1, round % 2 === 0 ? 'acme' : 'calm'),
        env.post('calm', ROUND.calm, 'calm'),
      ]);
      await systemPause(ROUND.everyMs);
    }
  })();
  return { async end() { ended = true; await rounds; } };
}

const ofCalm = () => env.applied.filter(({ device }) => device === 'calm');
const decisions = async () => (
  (await readOverflow(env.topics.reader, TOPICS.overflow.name)).providers.get('acme')
);

it('[GEN-68] A provider that floods delays another until it is moved, and no longer then; nothing is lost, doubled or out of order', async () => {
  let [writer, ofOverflow] = await Promise.all([env.startWriter(), env.startOverflow()]);
  const sending = send();

  await expect.poll(async () => (await decisions())?.writer?.state, WAIT).toBe('in');
  const late = Math.max(...ofCalm().map(({ waitedMs }) => waitedMs));

  // What waited before is diverted first; then calm is in the tables soon, though acme floods on.
  await expect.poll(() => {
    const last = ofCalm().slice(-10);
    return last.length === 10 && last.every(({ waitedMs }) => waitedMs < LATE_MS / 2);
  }, WAIT).toBe(true);
  const soon = Math.max(...ofCalm().slice(-10).map(({ waitedMs }) => waitedMs));
  expect(late).toBeGreaterThan(LATE_MS / 2);

  // A new owner of the partition, while records wait that no worker has applied.
  await env.stop(ofOverflow);
  const applied = await env.overflowEnd();
  await expect.poll(env.overflowEnd, WAIT).toBeGreaterThan(applied + ROUND.acme);
  await env.stop(writer);
  writer = await env.startWriter();
  const waiting = await env.overflowEnd();
  await expect.poll(env.overflowEnd, WAIT).toBeGreaterThan(waiting + ROUND.acme);
  ofOverflow = await env.startOverflow();

  // The operators see it, and take the provider back.
  expect((await env.runOverflow('ls')).value).toMatchObject({
    providers: [{ provider: 'acme', state: 'in', by: 'writer' }],
  });
  await sending.end();
  expect((await env.runOverflow('rm', '--provider', 'acme', '--for', '1h')).exitCode).toBe(0);
  // A key is applied by its writer again once none of its records wait in the overflow topic.
  await expect.poll(async () => {
    await Promise.all(DEVICES.map((device) => env.post(device, 5, 'acme')));
    await expect.poll(() => env.rows(), WAIT).toBe(env.posted());
    return env.applied.slice(-5).map(({ by }) => by);
  }, WAIT).toEqual(Array(5).fill('writer'));
  await Promise.all([env.stop(writer), env.stop(ofOverflow)]);

  for (const device of [...DEVICES, 'shared', 'calm']) {
    const offsets = env.offsetsOf(device);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect(new Set(offsets).size).toBe(offsets.length);
  }
  expect(env.applied).toHaveLength(env.posted());
  expect(await env.unexplained()).toEqual({ items: 0, unreadRecords: 0 });
  process.stdout.write(`calm waited ${late} ms before, ${soon} ms after; `
    + `sent=${env.posted()} diverted=${await env.overflowEnd()} lost=0 doubled=0\n`);
}, 180_000);
