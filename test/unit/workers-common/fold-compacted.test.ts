import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTopicFold } from '../../../services/kernel/fold-topics.ts';
import type { Fold } from '../../../services/kernel/fold.ts';
import {
  erasuresFold, erasuresOf, readErasedDrivers, readErasedUntil,
} from '../../../services/kernel/read-erasures.ts';
import { overflowFold, readOverflow } from '../../../services/kernel/read-overflow.ts';
import type { LogReader } from '../../../services/kernel/record-log.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { countedLog, type CountedLog } from '../../support/counted-log.ts';
import { memoryFolds } from '../../support/fake-log-tail.ts';

const readerOf = (log: CountedLog): LogReader => ({
  readToEnd: async (topics, onRecords) => (
    log.rangeReader.readRanges(await log.watch.ranges(topics), onRecords)),
});

function foldOf<Content>(log: CountedLog, topics: readonly string[], fold: Fold<Content>) {
  return createTopicFold({ name: 'f', topics, form: 1, recordsMin: Infinity, bytesMax: 0 }, fold, {
    ...log, signals: silentSignals, folds: memoryFolds(),
  });
}

it('Decisions about overflow that are folded as they come are those of the whole topic', async () => {
  const aDecision = fc.record({
    device_id: fc.constantFrom('d1', 'd2', undefined), provider: fc.constantFrom('p1', 'p2'),
    by: fc.constantFrom('operator', 'writer', undefined), state: fc.constantFrom('in', 'out'),
    version: fc.integer({ min: 1, max: 4 }), at_ms: fc.nat(9),
  });
  const rounds = fc.array(fc.array(aDecision, { maxLength: 4 }));
  await fc.assert(fc.asyncProperty(rounds, async (all) => {
    const log = countedLog();
    const read = foldOf(log, ['overflow'], overflowFold);
    for (const round of all) {
      for (const decision of round) log.append('overflow', decision);
      log.counted();
      const folded = await read();
      expect(log.counted()).toBe(round.length);
      expect(folded).toEqual(await readOverflow(readerOf(log), 'overflow'));
    }
  }));
});

it('Erasures that are folded as they come are those of both topics', async () => {
  const anErasure = fc.record({
    device_id: fc.constantFrom('d1', 'd2'), transport_ids: fc.subarray(['t1', 't2']),
    driver_hash: fc.constantFrom('h1', 'h2'), client_id: fc.constant('c'), salt: fc.constant('s'),
    provider: fc.constantFrom('p1', 'p2'), received_until_ms: fc.nat(9),
  });
  const some = fc.array(fc.tuple(anErasure, fc.boolean()));
  await fc.assert(fc.asyncProperty(some, async (erasures) => {
    const log = countedLog();
    const read = foldOf(log, ['tracks', 'drivers'], erasuresFold('tracks'));
    for (const [at, [erasure, isTrack]] of erasures.entries()) {
      log.append(isTrack ? 'tracks' : 'drivers', erasure, { key: `${at}` });
      log.counted();
      const folded = erasuresOf(await read());
      expect(log.counted()).toBe(1);
      expect(folded).toEqual({
        tracks: await readErasedUntil(readerOf(log), 'tracks'),
        drivers: await readErasedDrivers(readerOf(log), 'drivers'),
      });
    }
  }));
});
