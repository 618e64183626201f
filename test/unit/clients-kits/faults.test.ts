import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyKits } from '../../faults/clients/kit-copy.ts';
import { kitsPageOf } from '../../faults/clients/kits-page.ts';
import { createMeasurer, type StoredFix } from '../../faults/clients/measure.ts';
import { KIT_MUTANTS } from '../../faults/clients/mutants.ts';
import { troublesOf, type KitResult } from '../../faults/clients/verdict.ts';

const row = (device_id: string, time: number, rows = 1): StoredFix => (
  { device_id, time, rows }
);

describe('fixes that are measured', () => {
  const measurer = createMeasurer(['d1', 'd2'], 'BR', 100);
  const handed = measurer.measure();
  const whole = ['d1', 'd2'].flatMap((device) => [100, 101, 102].map((time) => row(device, time)));

  it('are three of each device, a second apart', () => {
    const handedTo = handed
      .map(({ device_id, fixes }) => [device_id, fixes.map(({ timestamp }) => timestamp)]);
    expect(handedTo).toEqual([
      ['d1', [100, 101, 102]], ['d2', [100, 101, 102]],
    ]);
    expect(measurer.count()).toBe(6);
  });

  it('are all there when each has one row', () => {
    expect(measurer.compare(whole)).toEqual({ rows: 6, lost: 0, doubled: 0, strange: 0 });
  });

  it('are lost without a row, doubled with two, and strange when they are of no device', () => {
    const rows = [...whole.slice(2), row('d2', 103), row('d3', 100, 2)].map((each) => (
      each.device_id === 'd2' && each.time === 102 ? { ...each, rows: 3 } : each
    ));
    expect(measurer.compare(rows)).toEqual({ rows: 9, lost: 2, doubled: 2, strange: 3 });
  });
});

describe('a run of a kit', () => {
  const good: KitResult = {
    kit: 'python', kills: 1, repeats: 1, measured: 6, rows: 6,
    lost: 0, doubled: 0, strange: 0, troubles: [],
  };

  it('passes when each fix is one row, and some came twice', () => {
    expect(troublesOf(good)).toEqual([]);
  });

  it('has a row on the page, with the command that made it', () => {
    const page = kitsPageOf([good, { ...good, kit: 'typescript', lost: 2 }], {
      seconds: 300, killEverySeconds: 20, seed: 7, commit: 'abcd1234',
    });
    expect(page).toContain('`npm run faults -- --clients 300s --kill-every 20 --seed 7` at commit `abcd1234`');
    expect(page).toContain('| python | 1 | 6 | 6 | 0 | 0 | 0 |\n| typescript | 1 | 6 | 6 | 2 | 0 | 0 |');
    expect(page).toContain('\n1 fixes were accepted more than once');
  });

  it.each<[Partial<KitResult>]>([
    [{ lost: 1 }], [{ doubled: 1 }], [{ strange: 1 }], [{ kills: 0 }], [{ repeats: 0 }],
    [{ measured: 0 }],
    [{ rows: 0 }], [{ troubles: ['refused'] }],
  ])('fails with %j', (wrong) => {
    expect(troublesOf({ ...good, ...wrong })).toHaveLength(1);
  });
});

describe('the mutants of the kits', () => {
  let dir: string;
  beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'rastro-mutants-')); });
  afterEach(() => { rmSync(dir, { recursive: true, force: true }); });

  it.each(KIT_MUTANTS.map((mutant) => [mutant.name, mutant] as const))('change the kit: %s', (_name, { patches }) => {
    expect(patches.length).toBeGreaterThan(0);
    copyKits(join(dir, 'kits'), patches);
  });

  it('are there for both', () => {
    expect(new Set(KIT_MUTANTS.map(({ kit }) => kit))).toEqual(new Set(['typescript', 'python']));
  });
});
