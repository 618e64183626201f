import { describe, expect, it } from 'vitest';
import { MODELS } from '../../simulator/models.ts';
import { runSchedule } from '../../simulator/run-schedule.ts';

/** Schedules of each model here; `npm run simulate` runs as many as one likes. */
const SCHEDULES = 600;
const SEED = 20_261_121;

describe.each(MODELS)('Schedules of $name', (model) => {
  it('keep every law under kills, wipes, stalls, losses and repeats', async () => {
    const broken: string[] = [];
    const answered = new Set<string>();
    for (let seed = SEED; seed < SEED + SCHEDULES; seed += 1) {
      const { findings, answers } = await runSchedule(model, seed);
      for (const answer of answers) answered.add(answer);
      if (findings.length === 0) continue;
      broken.push(`${findings.join('; ')}: npm run simulate -- --only ${model.name} `
        + `--seed ${seed} --schedules 1`);
    }
    expect(broken).toEqual([]);
    // Laws that nothing was done under would hold as well.
    expect([...answered].sort()).toEqual(expect.arrayContaining([...model.mustAnswer]));
  }, 240_000);

  it('are the same for the same seed, and others for another', async () => {
    const traceOf = async (seed: number): Promise<string> =>
      (await runSchedule(model, seed, { isTraced: true })).trace.join('\n');
    const trace = await traceOf(7);
    expect(trace.split('\n').length).toBeGreaterThan(50);
    expect(await traceOf(7)).toBe(trace);
    expect(await traceOf(8)).not.toBe(trace);
  });
});
