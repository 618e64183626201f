import { describe, expect, it } from 'vitest';
import {
  bringMsOf, REHEARSALS, rehearsalLine, wantedRehearsals, whyNotBrought,
} from '../../../scripts/suite/rehearsals.ts';
import { runRehearsals } from '../../../scripts/suite/run-rehearsals.ts';

const MINUTE_MS = 60_000;
const MARK = { name: 'RASTRO_TEST_SEED', value: 'rehearsals' };

function played(script: string, playMsMax = MINUTE_MS) {
  return { name: 'overlays', words: ['--eval', script, '--'], playMsMax };
}

function endOf(rehearsal: ReturnType<typeof played>, leftMs = 2 * MINUTE_MS) {
  return runRehearsals([rehearsal], {
    root: '.', mark: MARK, endMs: performance.now() + leftMs, leaving: new AbortController().signal,
  }).then(([end]) => end);
}

describe('rehearsals of a run of all tests', () => {
  it('are all in CI and none elsewhere, unless the caller names some', () => {
    const named = (env: Record<string, string>) => wantedRehearsals(env).map(({ name }) => name);
    expect(named({ CI: 'true' })).toEqual(['overlays', 'containers', 'bruno']);
    expect(named({})).toEqual([]);
    expect(named({ CI: 'true', RASTRO_REHEARSALS: 'none' })).toEqual([]);
    expect(named({ RASTRO_REHEARSALS: 'all' })).toEqual(['overlays', 'containers', 'bruno']);
    expect(named({ RASTRO_REHEARSALS: 'containers' })).toEqual(['containers']);
    expect(() => named({ RASTRO_REHEARSALS: 'overlay' })).toThrow('not overlay');
  });

  it('may bring what they need as long as there is time left to play', () => {
    const [overlays = played('')] = REHEARSALS;
    expect(bringMsOf(overlays, overlays.playMsMax + 1)).toBe(1);
    expect(bringMsOf(overlays, overlays.playMsMax)).toBe(0);
    expect(bringMsOf(overlays, -1)).toBe(0);
  });

  it('say in one line what ran, and what did not and why', () => {
    expect(rehearsalLine([
      { name: 'overlays', passed: 5, failed: 0, skipped: 0, tookMs: 90_000 },
      {
        name: 'containers', passed: 0, failed: 0, skipped: 0, tookMs: 1,
        leftOut: whyNotBrought('a line\nInstall Go.\n\n', false, MINUTE_MS),
      },
    ])).toBe('rehearsals: overlays ran in 1.5 minutes, 5 acts passed and 0 failed; containers not run,'
      + ' as what it needs could not be brought: Install Go.');
    expect(whyNotBrought('', true, 90_000)).toContain('in the 1.5 minutes that were left');
  });
});

describe('a rehearsal', () => {
  it('brings first, then counts by what it says itself', async () => {
    const script = 'const brings = process.argv.includes("--bring");'
      + 'console.log(brings ? "brought" : "4 passed, 1 failed"); process.exit(brings ? 0 : 1);';
    expect(await endOf(played(script))).toMatchObject({ passed: 4, failed: 1 });
  });

  it('is left out when what it needs cannot be brought, and fails nothing', async () => {
    const end = await endOf(played('console.error("No way to Go."); process.exit(2);'));
    expect(end).toMatchObject({ passed: 0, failed: 0 });
    expect(end?.leftOut).toContain('No way to Go.');
  });

  it('is left out when there is no time to play it, and starts nothing', async () => {
    const end = await endOf(played('process.exit(7)', 3 * MINUTE_MS));
    expect(end?.leftOut).toContain('0.0 minutes that were left');
  });

  it('ends with its children, and is left out, when bringing takes too long', async () => {
    const child = 'setInterval(() => {}, 1000)';
    const script = `require("node:child_process").spawn(process.execPath, ["-e", "${child}"]);${child}`;
    const end = await endOf(played(script), MINUTE_MS + 1_500);
    expect(end?.leftOut).toContain('that were left');
  });

  it('is not played, and none follows, once a signal asked for an end', async () => {
    const leaving = new AbortController();
    const ends = runRehearsals([played('process.exit(0)'), played('process.exit(0)')], {
      root: '.', mark: MARK, endMs: performance.now() + 2 * MINUTE_MS, leaving: leaving.signal,
    });
    leaving.abort();
    expect((await ends).map(({ leftOut }) => leftOut)).toEqual(['a signal ended the run']);
  });

  it('failed when it is played and goes over its time', async () => {
    const script = 'if (!process.argv.includes("--bring")) setInterval(() => {}, 1000);';
    expect(await endOf(played(script, 300))).toMatchObject({ passed: 0, failed: 1 });
  });
});
