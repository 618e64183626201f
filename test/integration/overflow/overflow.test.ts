import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTwoWriters, type TwoWriters } from './two-writers.ts';

const WAIT = { timeout: 30_000, interval: 100 };

let env: TwoWriters;
beforeAll(async () => { env = await openTwoWriters(); }, 60_000);
afterAll(() => env.close());

const rows = (device: string) => env.rows(`device_id = '${device}'`);

it('A hot device goes into the overflow topic and out of it, in order, once, beside neighbours that do not wait', async () => {
  const { post, runOverflow, overflowEnd } = env;
  let writer = await env.startWriter();
  await post('hot', 20);
  await expect.poll(() => rows('hot'), WAIT).toBe(20);

  // In: no worker applies the overflow topic yet, and the neighbour is in the tables all the same.
  expect((await runOverflow('add', 'hot')).exitCode).toBe(0);
  await Promise.all([post('hot', 30), post('calm', 10)]);
  await expect.poll(() => rows('calm'), WAIT).toBe(10);
  await expect.poll(overflowEnd, WAIT).toBe(30);
  expect(await rows('hot')).toBe(20);
  expect((await runOverflow('ls')).value).toMatchObject({ devices: [{ device_id: 'hot' }] });

  // A new owner of the partition goes on where the one before was.
  await env.stop(writer);
  await post('hot', 10);
  writer = await env.startWriter();
  await expect.poll(overflowEnd, WAIT).toBe(40);
  const ofOverflow = await env.startOverflow();
  await expect.poll(() => rows('hot'), WAIT).toBe(60);

  // Out: what comes now waits for the overflow topic, then goes to the table writer directly.
  expect((await runOverflow('rm', 'hot')).exitCode).toBe(0);
  await Promise.all([post('hot', 20), post('calm', 5)]);
  await expect.poll(() => rows('hot'), WAIT).toBe(80);
  await expect.poll(() => rows('calm'), WAIT).toBe(15);
  expect(await overflowEnd()).toBe(40);
  await Promise.all([env.stop(writer), env.stop(ofOverflow)]);

  expect(env.applied.filter(({ by }) => by === 'overflow')).toHaveLength(40);
  const offsets = env.offsetsOf('hot');
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(offsets).toHaveLength(80);
  expect(await env.rows()).toBe(95);
  expect(await env.unexplained()).toEqual({ items: 0, unreadRecords: 0 });
}, 120_000);
