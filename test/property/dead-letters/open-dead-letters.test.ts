import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createOpenDeadLetterLog } from '../../../services/operator/dead-letters/open-log.ts';
import { readDeadLetters } from '../../../services/cli/dead-letters/read-dead-letters.ts';
import { createTopicFold } from '../../../services/kernel/fold-topics.ts';
import {
  openDeadLettersConfig, openDeadLettersFold,
} from '../../../services/kernel/open-dead-letters.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { countedLog } from '../../support/counted-log.ts';
import { memoryFolds } from '../../support/fake-log-tail.ts';

const TOPICS = { deadLetters: 'dead-letters.v1', repairs: 'dead-letter-repairs.v1' };
const PARTITIONS = 2;
const digest = (text: string): string => `${text.length}`.padStart(20, '0');

type Step =
  | {
    readonly do: 'dead letter'; readonly which: number; readonly worker: string;
  }
  | {
    readonly do: 'repair'; readonly which: number;
    readonly type: 'DeadLetterReplayed' | 'DeadLetterDiscarded' | 'DeadLetterResumed';
  }
  | { readonly do: 'forget' }
  | { readonly do: 'read' };

const RECORDS = 6;
const which = fc.nat(RECORDS - 1);
/** From which record each was replayed, if from any: it has the same headers for each worker. */
const sources = fc.array(
  fc.option(which, { nil: undefined }), { minLength: RECORDS, maxLength: RECORDS },
);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dead letter' as const), which,
      worker: fc.constantFrom('one', 'another'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('repair' as const), which,
      type: fc.constantFrom('DeadLetterReplayed', 'DeadLetterDiscarded', 'DeadLetterResumed'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'forget' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'read' as const }) },
);

it('Dead letters that are open are the same from a checkpoint at any place and from the beginning', async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(aStep, { maxLength: 30 }), fc.array(fc.nat(7), { minLength: 1, maxLength: 9 }),
    sources,
    async (steps, picks, replayedFrom) => {
      let at = 0;
      let atMs = 1_000;
      const ends = new Map<number, number>();
      const log = countedLog({
        partitions: PARTITIONS, batchRecordsMax: 2, pick: () => picks[at++ % picks.length] ?? 0,
      });
      const apply = (step: Step): void => {
        atMs += 1;
        if (step.do === 'read') return;
        if (step.do === 'forget') {
          for (const [partition, end] of ends) log.forget(TOPICS.deadLetters, partition, end);
          return;
        }
        const partition = step.which % PARTITIONS;
        const origin = { topic: 't', topic_id: 'T', partition: 0, offset: step.which, key: 'aw==' };
        if (step.do === 'repair') {
          log.append(TOPICS.repairs, { type: step.type, origin, at_ms: atMs }, { partition });
          return;
        }
        const from = replayedFrom[step.which];
        ends.set(partition, (ends.get(partition) ?? 0) + 1);
        log.append(TOPICS.deadLetters, {
          origin, worker: step.worker, stage: 's', code: 'c', detail: 'd', value: 'AAAA',
          headers: from === undefined ? {} : { 'replayed-from': `T:0:${from}` },
          code_version: '1', at_ms: atMs,
        }, { partition });
      };
      const folds = memoryFolds();
      const config = { ...openDeadLettersConfig(TOPICS), recordsMin: 1, bytesMax: 1e6 };
      const ports = { ...log, signals: silentSignals, digest };
      const keep = (): (() => Promise<unknown>) => createTopicFold(
        config, openDeadLettersFold(TOPICS), { ...ports, folds },
      );
      const running = keep();
      const shown = createOpenDeadLetterLog({ ...ports, folds });
      for (const step of steps) {
        apply(step);
        if (step.do === 'read') await Promise.all([running(), keep()(), shown.read()]);
      }
      await running();
      const whole = await readDeadLetters({
        readToEnd: async (topics, onRecords) => (
          log.rangeReader.readRanges(await log.watch.ranges(topics), onRecords)),
      }, digest);
      const open = [...whole.deadLetters.values()].filter(({ state }) => state === 'open');
      const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (
        a.id < b.id ? -1 : 1);
      for (const source of [createOpenDeadLetterLog({ ...ports, folds }), shown]) {
        const { deadLetters, resumed } = await source.read();
        expect([...deadLetters.values()].toSorted(byId)).toEqual(open.toSorted(byId));
        for (const { id, first, reasons: [{ at_ms }] } of open) {
          const firstId = `${first.topicId}:${first.partition}:${first.offset}`;
          const resumedMs = whole.resumed.get(firstId) ?? 0;
          // What was resumed before it became a dead letter says nothing about it.
          if (resumedMs > at_ms) expect(resumed.get(firstId)).toBe(resumedMs);
          expect((await source.values(new Set([id]))).get(id)).toEqual(Buffer.from('AAAA', 'base64'));
        }
      }
    },
  ), { numRuns: 300 });
});
