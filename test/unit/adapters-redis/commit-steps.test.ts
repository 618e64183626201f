import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { REDIS_DEFAULTS } from '../../../services/adapters/redis/config.ts';
import { createStateStore } from '../../../services/adapters/redis/state-store.ts';
import { STEP_CHANNEL, type PassedStep } from '../../../services/adapters/signals/steps.ts';
import type { StateKey, StateKind } from '../../../services/kernel/state-store.ts';

const READY = { requireReady: true };
const keyOf = (kind: StateKind, id: string): StateKey => ({ shard: 3, kind, id });

let passed: string[] = [];
const hear = (message: unknown): void => {
  const { step, of } = message as PassedStep;
  passed.push(`${step}/${of}`);
};

beforeEach(() => {
  passed = [];
  subscribe(STEP_CHANNEL, hear);
});
afterEach(() => { unsubscribe(STEP_CHANNEL, hear); });

const storeOf = (answer: () => unknown) => createStateStore(
  { ...REDIS_DEFAULTS, url: '' },
  () => {
    passed.push('the script');
    return Promise.resolve(answer());
  },
);

it('passes a step for each kind that a commit writes, before and after', async () => {
  await storeOf(() => [1, 1]).commit([
    {
      entries: [
        { key: keyOf('entity', 'a'), version: 0, set: { one: '1' } },
        { key: keyOf('device', 'a'), version: 2 },
        { key: keyOf('lease', 'a'), version: 1, remove: true },
      ],
    },
    {
      entries: [{ key: keyOf('entity', 'b'), version: 0, drop: ['one'] }],
      members: [{ key: keyOf('fleet', 'c'), remove: ['d'] }],
    },
  ], READY);
  const of = (step: string) => ['entity', 'lease', 'fleet'].map((kind) => `${step}/commit-${kind}`);
  expect(passed).toEqual([...of('redis.before'), 'the script', ...of('redis.after')]);
});

it('passes none after a commit that failed', async () => {
  const store = storeOf(() => { throw new Error('away'); });
  const change = { key: keyOf('token', 'a'), version: 0, set: { one: '1' } };
  await expect(store.commit([{ entries: [change] }], READY)).rejects.toThrow('away');
  expect(passed).toEqual(['redis.before/commit-token', 'the script']);
});
