import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentSignals } from '../../../services/kernel/signals.ts';
import { createCommandReader } from '../../../services/workers/common/read-command-record.ts';
import { createReadPending } from '../../../services/workers/parties/commands/pending-commands.ts';
import { aCommand, aResult } from '../../support/command-facts.ts';
import { countedLog } from '../../support/counted-log.ts';
import { memoryFolds } from '../../support/fake-log-tail.ts';
import { readRecord } from '../../support/read-record.ts';

const TOPICS = { commands: 'provider.commands.v1', results: 'provider.command-results.v1' };
const PARTITIONS = 2;
const readCommand = createCommandReader(readRecord);
const COMMANDS = Array.from({ length: 8 }, (_, at) => (
  aCommand('start_tracking', at, { command_id: `c${at}` })));

/** What the log says next; a takeover reads it up to there. */
type Step =
  | { readonly do: 'issue'; readonly which: number }
  | {
    readonly do: 'result'; readonly which: number; readonly fence: number;
    readonly attempt: number; readonly outcome: 'retry' | 'done' | 'cancelled';
  }
  | { readonly do: 'forget' }
  | { readonly do: 'read' };

const which = fc.nat(COMMANDS.length - 1);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('issue' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('result' as const), which, fence: fc.integer({ min: 1, max: 3 }),
      attempt: fc.integer({ min: 1, max: 4 }),
      outcome: fc.constantFrom('retry' as const, 'retry' as const, 'done' as const, 'cancelled' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'forget' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'read' as const }) },
);

/** Plays steps onto a log; `lateSteps` come while a read takes the ends of its topics. */
function play(steps: readonly Step[], lateSteps: readonly Step[], picks: readonly number[]) {
  let at = 0;
  let ends = 0;
  let late: readonly Step[] = [];
  const log = countedLog({
    partitions: PARTITIONS, batchRecordsMax: 2, pick: () => picks[at++ % picks.length] ?? 0,
    onEnds: () => {
      ends += 1;
      if (ends !== 2) return;
      for (const step of late) apply(step);
      late = [];
    },
  });
  const issued = new Set<number>();
  const forgotten = new Set<number>();
  const length = { [TOPICS.commands]: [0, 0], [TOPICS.results]: [0, 0] };
  const append = (topic: string, value: unknown, partition: number): void => {
    log.append(topic, value, { partition });
    const own = length[topic] as number[];
    own[partition] = (own[partition] ?? 0) + 1;
  };
  const apply = (step: Step): void => {
    if (step.do === 'read') return;
    if (step.do === 'forget') {
      // Whatever is older than now is gone, in both topics at once.
      for (const [topic, ends] of Object.entries(length)) {
        for (const [partition, end] of ends.entries()) log.forget(topic, partition, end);
      }
      for (const each of issued) forgotten.add(each);
      issued.clear();
      return;
    }
    const command = COMMANDS[step.which] ?? COMMANDS[0];
    if (command === undefined) return;
    const partition = step.which % PARTITIONS;
    // A gateway repeats a command within minutes: never one that the log has forgotten.
    if (forgotten.has(step.which)) return;
    if (step.do === 'issue') {
      issued.add(step.which);
      append(TOPICS.commands, command, partition);
    } else if (issued.has(step.which)) {
      const { fence, attempt, outcome } = step;
      append(TOPICS.results, aResult(command, {
        fence, attempt, outcome, ...(outcome === 'retry' ? { next_attempt_at_ms: 100 + attempt } : {}),
      }), partition);
    }
  };
  const folds = memoryFolds();
  const open = (kept: typeof folds) => createReadPending({ topics: TOPICS, keptRecordsMin: 1 }, {
    ...log, folds: kept, signals: silentSignals, readCommand,
  });
  return { log, folds, open, apply, beLate: () => { late = lateSteps; ends = 0; } };
}

const PART = new Set([0, 1]);

describe('What is pending, folded from a checkpoint at any place', () => {
  it('is what a fold from the beginning says, in any order of the topics', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(aStep, { maxLength: 40 }), fc.array(aStep, { maxLength: 4 }),
      fc.array(fc.nat(7), { minLength: 1, maxLength: 9 }),
      async (steps, lateSteps, picks) => {
        const { folds, open, apply, beLate } = play(steps, lateSteps, picks);
        const running = open(folds);
        for (const step of steps) {
          apply(step);
          // Also by processes that come and go: each goes on from what another has kept.
          if (step.do === 'read') await Promise.all([running.keepUp([0, 1]), open(folds).read(PART)]);
        }
        beLate();
        await running.keepUp([0, 1]);
        const fromBeginning = await open(memoryFolds()).read(PART);
        const { fences: _, lastOffsets, ...found } = await open(folds).read(PART);
        expect(found.pending).toEqual(fromBeginning.pending);
        for (const [partition, offset] of fromBeginning.lastOffsets) {
          expect(lastOffsets.get(partition)).toBe(offset);
        }
        expect((await running.read(PART)).pending).toEqual(fromBeginning.pending);
      },
    ), { numRuns: 500 });
  });
});
