import { expect, it } from 'vitest';
import { modelNamed } from '../../simulator/models.ts';
import { runSchedule } from '../../simulator/run-schedule.ts';

/** Schedules that broke a law once, with what was wrong. */
const SEEDS = [
  ['commands', 20_281_096, 'a right that was lost while the log was being read was taken again'],
  ['commands', 20_261_611, 'a right that the store lost was taken again for a log read before'],
  ['commands', 20_297_821, 'a start went out that another had cancelled while the log was read'],
  ['authorizations', 20_261_266, 'a cancellation forgot the marks of a later step in doubt'],
  ['authorizations', 20_261_944, 'a cancellation forgot the marks of a later step in doubt'],
  ['notifications', 31, 'two carriers got 202 for a shipment whose reservation was lost'],
  ['notifications', 47, 'two carriers got 202 for a shipment whose reservation was lost'],
] as const;

it.each(SEEDS)('keeps the laws of %s in schedule %d: %s', async (model, seed) => {
  expect((await runSchedule(modelNamed(model), seed)).findings).toEqual([]);
});
