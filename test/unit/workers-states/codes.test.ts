import { describe, expect, it } from 'vitest';
import base from '../../../schemas/data/notification-codes.json' with { type: 'json' };
import { cataloguesOf } from '../../../services/domain/journey/read-catalogue.ts';
import { silentSignals } from '../../../services/kernel/signals.ts';
import {
  CODES_LIMITS, createCodes, type CodeVersions,
} from '../../../services/workers/journey/codes.ts';
import { CATALOGUE } from '../../support/journeys.ts';

const INTERFACE = cataloguesOf(base, []);
const WITH_SAMPLE: CodeVersions = [INTERFACE[0], { ...CATALOGUE, validFromMs: 50 }];

/** A log that answers from a list, and a clock that stands unless a pause moves it. */
function env(answers: (CodeVersions | Error)[]) {
  let nowMs = 1_000;
  const seen = { reads: 0, final: [] as number[], failures: 0 };
  const codes = createCodes(CODES_LIMITS, {
    read: async () => {
      seen.reads += 1;
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('none');
      return answer;
    },
    clock: { nowMs: () => nowMs },
    pause: async (ms) => { nowMs += ms; },
    signals: {
      ...silentSignals,
      codesRead: ({ final_codes }) => { seen.final.push(final_codes); },
      codesReadFailed: () => { seen.failures += 1; },
    },
  });
  return { codes, seen, wait: (ms: number) => { nowMs += ms; } };
}

describe('the codes of a worker', () => {
  it('[NOT-49] waits while the log does not answer, and never guesses', async () => {
    const { codes, seen } = env([new Error('away'), new Error('away'), WITH_SAMPLE]);
    expect(() => codes.at(100)).toThrow('not read');
    await codes.refresh();
    expect(seen).toMatchObject({ reads: 3, failures: 2 });
    expect(codes.at(100).version).toBe(CATALOGUE.version);
    expect(codes.at(49).version).toBe('interface-1');
  });

  it('[NOT-49] reads again when what it knows is older than the lead of an import', async () => {
    const { codes, seen, wait } = env([INTERFACE, WITH_SAMPLE]);
    await codes.refresh();
    await codes.refresh();
    expect([seen.reads, codes.at(100).version]).toEqual([1, 'interface-1']);
    wait(CODES_LIMITS.freshMs);
    await codes.refresh();
    expect([seen.reads, codes.at(100).version]).toEqual([2, CATALOGUE.version]);
  });

  it('[NOT-49] does not go back to what a slower read brings', async () => {
    const slow = Promise.withResolvers<CodeVersions>();
    const answers = [slow.promise, Promise.resolve(WITH_SAMPLE)];
    let nowMs = 0;
    const codes = createCodes(CODES_LIMITS, {
      read: () => answers.shift() ?? slow.promise,
      clock: { nowMs: () => nowMs += 1 }, pause: async () => undefined, signals: silentSignals,
    });
    const poll = codes.poll();
    await codes.refresh();
    slow.resolve(INTERFACE);
    await poll;
    expect(codes.at(100).version).toBe(CATALOGUE.version);
  });

  it('reports how many codes are final, also while nothing comes', async () => {
    const { codes, seen } = env([INTERFACE, new Error('away'), WITH_SAMPLE]);
    await codes.poll();
    await codes.poll();
    await codes.poll();
    expect([seen.final[0], seen.final.length, seen.failures]).toEqual([0, 2, 1]);
    expect(seen.final[1]).toBeGreaterThan(0);
  });
});
