import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  agedShipment, applyLive, applyShipments, finishedShipment,
} from '../../bench/rows/aged-shipments.ts';
import { openYearStore } from '../../bench/rows/year-store.ts';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';
import { aClient, aRegistration, placed, startOf } from '../../support/state-facts.ts';

const MARKS = /:(ready|fixes-complete)$/;
const HOUR_MS = 3_600_000;
const NUMBERS = Array.from({ length: 600 }, (_, nth) => agedShipment(nth));

let states: OpenedRedis;
beforeAll(async () => { states = await openRedisStates(); });
afterAll(() => states.close());

/** Every entry without its version, and the hour in which it goes. */
async function seen(): Promise<ReadonlyMap<string, unknown>> {
  const { raw } = states;
  const names = (await raw.keys('*')).filter((name) => !MARKS.test(name)).sort();
  return new Map(await Promise.all(names.map(async (name) => {
    const content = await raw.type(name) === 'hash'
      ? await raw.hgetall(name) : await raw.zrange(name, '0', '-1', 'WITHSCORES');
    if (!Array.isArray(content)) {
      expect(Number(content['v'])).toBeGreaterThan(0);
      delete content['v'];
    }
    // How long a part of finished ones stays follows from when it was written last.
    const endMs = name.includes(':finished-') ? 0 : await raw.pexpiretime(name);
    return [name, { content, hour: Math.round(endMs / HOUR_MS) }] as const;
  })));
}

it('fills the store of the bench in the form that the workers write', async () => {
  const client = aClient();
  const devices = placed(Array.from({ length: 20 }, () => aRegistration(client))
    .flatMap((device) => [device, startOf(device)]));
  const live = NUMBERS.filter(({ isLive }) => isLive);
  const over = NUMBERS.filter(({ isLive }) => !isLive);

  await states.devices.apply(devices);
  await applyLive(states, live);
  await applyShipments(states, over);
  const written = await seen();
  expect(written.size).toBeGreaterThan(400);

  await states.raw.flushdb();
  const year = openYearStore(states.raw);
  await year.write((own) => own.devices.apply(devices));
  await year.write((own) => applyLive(own, live));
  await year.writeFinished(over.map(finishedShipment));
  expect(await seen()).toEqual(written);
});
