import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRedisStates, type OpenedRedis } from '../../support/open-redis-states.ts';

let states: OpenedRedis;
beforeAll(async () => { states = await openRedisStates(); });
afterAll(() => states.close());

it('[GEN-49] counts the ends of a process at a record for each worker apart', async () => {
  const [counts, others] = [states.defectsOf('journey'), states.defectsOf('projector.access')];
  expect(await counts.load()).toEqual(new Map());
  await counts.clear([]);
  await counts.add(['id:0:1', 'id:0:2']);
  await counts.add(['id:0:2']);
  expect(await states.defectsOf('journey').load()).toEqual(new Map([['id:0:1', 1], ['id:0:2', 2]]));
  expect(await others.load()).toEqual(new Map());
  await counts.clear(['id:0:1', 'id:0:3']);
  expect(await counts.load()).toEqual(new Map([['id:0:2', 2]]));
});
