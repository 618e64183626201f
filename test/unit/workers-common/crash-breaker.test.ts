import { beforeEach, describe, expect, it } from 'vitest';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { Unavailable } from '../../../services/kernel/unavailable.ts';
import type { LogRecord } from '../../../services/kernel/record-log.ts';
import { createBatchHandler } from '../../../services/workers/common/batch-handler.ts';
import {
  CRASH_BREAKER_LIMITS, createCrashBreaker,
} from '../../../services/workers/common/crash-breaker.ts';
import type { ConsumedRecord } from '../../../services/workers/common/outcomes.ts';
import { POISON_FLOOD_LIMITS } from '../../../services/workers/common/poison-flood.ts';
import { aLogRecord } from '../../support/fake-log-reader.ts';
import { memoryDefects } from '../../support/memory-defects.ts';

const records = [1, 2, 3, 4, 5].map((offset) => aLogRecord('t', offset, '{}'));
const offsets = (each: readonly ConsumedRecord[]) => each.map(({ offset }) => Number(offset));

let counts: Map<string, number>;
let isAway: boolean;
let batches: number[][];
let deadLetters: string[];
let bad: Set<number>;
let fault: Error | undefined;

const AWAY = new Unavailable('state_unavailable', 'apply', 'as the test asked');
const defects = () => (
  { ...memoryDefects(counts), ...(isAway ? { load: () => Promise.reject(AWAY) } : {}) }
);

beforeEach(() => {
  [counts, isAway, batches, deadLetters] = [new Map(), false, [], []];
  [bad, fault] = [new Set(), undefined];
});

/** One process: takes records until a defect ends it; answers how it ended. */
async function run(given: readonly LogRecord[] = records): Promise<string> {
  const breaker = createCrashBreaker(CRASH_BREAKER_LIMITS, defects());
  const handler = createBatchHandler({ ...POISON_FLOOD_LIMITS, worker: 'w' }, {
    clock: { nowMs: () => 0 }, signals: silentSignals,
    deadLetters: {
      write: async ({ offset }, stage, code) => { deadLetters.push(`${offset} ${stage} ${code}`); },
    },
    onAssigned: async () => breaker.onAssigned(),
    applyRecords: breaker.guard(async (batch) => {
      batches.push(offsets(batch));
      if (fault !== undefined) throw fault;
      const worst = batch.find(({ offset }) => bad.has(Number(offset)));
      if (worst !== undefined) throw new TypeError(`a defect at ${worst.offset}`);
      return batch.map((record) => ({ kind: 'applied' as const, record }));
    }),
  });
  await handler.onAssigned([]);
  const ending = await handler.onRecords(given).catch((error: unknown) => error as Error);
  return ending instanceof Error ? ending.name : 'applied';
}

describe('[GEN-49] a record at which a defect ends the process', () => {
  it('is a dead letter after three ends, and its neighbours are applied', async () => {
    bad.add(3);
    for (let process = 0; process < 3; process += 1) expect(await run()).toBe('TypeError');
    expect(deadLetters).toEqual([]);
    batches = [];
    expect(await run()).toBe('applied');
    expect(deadLetters).toEqual(['3 apply defect']);
    expect(batches.flat()).toEqual([1, 2, 4, 5]);
  });

  it('is found alone: the second process applies the suspects one by one', async () => {
    bad.add(3);
    await run();
    batches = [];
    await run();
    expect(batches).toEqual([[1], [2], [3]]);
    expect([...counts.values()].sort()).toEqual([1, 1, 1, 1, 2]);
  });

  it('is forgotten once it can be applied, and costs whole batches nothing', async () => {
    bad.add(3);
    await run();
    bad.clear();
    await run();
    expect(counts).toEqual(new Map());
    batches = [];
    await run();
    expect(batches).toEqual([[1, 2, 3, 4, 5]]);
  });

  it('is never one that an outage met, however often', async () => {
    fault = AWAY;
    for (let process = 0; process < 5; process += 1) expect(await run()).toBe('Unavailable');
    [fault, isAway] = [undefined, true];
    expect(await run()).toBe('Unavailable');
    expect([counts.size, deadLetters]).toEqual([0, []]);
  });

  it('is no dead letter where a wrong program meets too many of them', async () => {
    const many = Array.from({ length: 40 }, (_, at) => aLogRecord('t', at + 1, '{}'));
    for (const { offset } of many) bad.add(Number(offset));
    let ends = 0;
    while (ends < 100 && await run(many) === 'TypeError') ends += 1;
    expect(ends).toBe(100);
    expect(new Set(deadLetters).size).toBeLessThanOrEqual(CRASH_BREAKER_LIMITS.deadLettersMax);
  });
});
