import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRecordLog } from '../../../services/adapters/kafka/append/record-log.ts';
import { APPEND_LIMITS } from '../../../services/adapters/kafka/config.ts';
import { isUnavailable } from '../../../services/kernel/unavailable.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { fakeSender, type SendOutcome } from '../../support/fake-sender.ts';
import { testTopic, wallClock } from '../../support/kafka-logs.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

const PARTITIONS = 3;
const WAITING_BYTES_MAX = 1_000;
const KEYS = ['a', 'b', 'c', 'd', 'e'];

const steps = fc.array(fc.oneof(
  { weight: 5, arbitrary: fc.record({
    kind: fc.constant('append' as const),
    key: fc.constantFrom(...KEYS),
    forMs: fc.constantFrom(5, 50, 10_000),
  }) },
  { weight: 3, arbitrary: fc.record({
    kind: fc.constant('settle' as const),
    which: fc.nat(PARTITIONS),
    outcome: fc.constantFrom<SendOutcome>('acked', 'answer-lost', 'not-written'),
  }) },
  { weight: 2, arbitrary: fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.constantFrom(0, 1, 20, 100),
  }) },
), { minLength: 1, maxLength: 80 });

it('whatever fails, acknowledged means in the log once, in the order of its key', async () => {
  await fc.assert(fc.asyncProperty(steps, async (plan) => {
    const sender = fakeSender();
    const topic = testTopic(PARTITIONS);
    const log = createRecordLog([topic], {
      ...APPEND_LIMITS, waitingBytesMax: WAITING_BYTES_MAX, batchRecordsMax: 4, failFastMs: 300,
    }, { sender, clock: wallClock, signals: silentSignals, schemaIdOf: () => 1, random: () => 0 });
    const results = new Map<string, string>();
    const appends: Promise<void>[] = [];
    for (const [index, step] of plan.entries()) {
      if (step.kind === 'wait') await vi.advanceTimersByTimeAsync(step.ms);
      if (step.kind === 'settle') {
        sender.open[step.which % sender.open.length]?.complete(step.outcome);
      }
      if (step.kind === 'append') {
        const value = JSON.stringify(`${step.key}${index}`);
        appends.push(log.append({
          topic: topic.name, key: step.key, value: Buffer.from(value), headers: {},
        }, wallClock.nowMs() + step.forMs).then(
          () => { results.set(value, 'acked'); },
          (fault: unknown) => { results.set(value, isUnavailable(fault) ? fault.code : 'a bug'); },
        ));
      }
      expect(log.waitingBytes()).toBeLessThanOrEqual(WAITING_BYTES_MAX);
      expect(log.waitingBytes()).toBeGreaterThanOrEqual(0);
    }
    const closed = log.close(wallClock.nowMs() + 60_000);
    for (let round = 0; round < 200 && log.waitingBytes() > 0; round += 1) {
      for (const send of [...sender.open]) send.complete('acked');
      await vi.advanceTimersByTimeAsync(100);
    }
    await closed;
    await Promise.all(appends);

    expect(sender.broken).toEqual([]);
    expect(log.waitingBytes()).toBe(0);
    const partitions = Array.from({ length: PARTITIONS }, (_, number) => sender.log(number));
    const written = partitions.flat();
    expect(new Set(written).size).toBe(written.length);
    for (const [value, result] of results) {
      expect(result).not.toBe('a bug');
      if (result === 'acked') expect(written).toContain(value);
      if (result === 'log_unavailable' || result === 'capacity_exhausted') {
        expect(written).not.toContain(value);
      }
    }
    for (const key of KEYS) {
      const order = written.map((value) => JSON.parse(value) as string)
        .filter((text) => text.startsWith(key)).map((text) => Number(text.slice(1)));
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
  }), { numRuns: 150 });
});
