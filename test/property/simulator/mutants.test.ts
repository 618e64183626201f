import { describe, expect, it } from 'vitest';
import { modelNamed } from '../../simulator/models.ts';
import { MUTANTS } from '../../simulator/mutants.ts';
import { runSchedule } from '../../simulator/run-schedule.ts';

const SCHEDULES_MAX = 3_000;

describe('The simulator notices when', () => {
  it.each(MUTANTS)('$name', async ({ model, breaks, flaws, seed: first }) => {
    const seen = new Set<string>();
    for (let seed = first; seed < first + SCHEDULES_MAX; seed += 1) {
      const { findings } = await runSchedule(modelNamed(model), seed, { flaws: flaws() });
      for (const finding of findings) seen.add(finding.split(' ')[0] ?? '');
      if (breaks.some((name) => seen.has(name))) return;
    }
    expect([...seen]).toEqual(expect.arrayContaining([...breaks]));
  }, 240_000);
});
