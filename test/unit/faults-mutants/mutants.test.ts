import { stripTypeScriptTypes } from 'node:module';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { INVARIANTS } from '../../faults/checker/report.ts';
import { MUTANTS } from '../../faults/mutants/all-mutants.ts';
import { copyProduct, patched } from '../../faults/cluster/copy-product.ts';
import { MUTANT_SCENARIOS } from '../../faults/mutants/scenarios.ts';
import { SCENARIOS } from '../../faults/scenarios/index.ts';

const root = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'rastro-mutant-'));

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the mutants', () => {
  it('are at least twelve, each with a name of its own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    expect(MUTANTS.length).toBeGreaterThanOrEqual(12);
  });

  it.each(MUTANTS)('$name changes places that are there exactly once', ({ patches }) => {
    for (const patch of patches) {
      const text = readFileSync(join(root, patch.file), 'utf8');
      expect(patched(text, patch)).not.toBe(text);
    }
  });

  it.each(MUTANTS)('$name leaves programs that Node can read', ({ patches }) => {
    for (const patch of patches.filter(({ file }) => file.endsWith('.ts'))) {
      const text = patched(readFileSync(join(root, patch.file), 'utf8'), patch);
      expect(() => stripTypeScriptTypes(text)).not.toThrow();
    }
  });

  it.each(SCENARIOS.filter(({ ownCluster }) => ownCluster?.changed !== undefined))(
    'and the scenario $name changes places that are there exactly once', ({ ownCluster }) => {
      for (const patch of ownCluster?.changed?.patches ?? []) {
        const text = readFileSync(join(root, patch.file), 'utf8');
        expect(patched(text, patch)).not.toBe(text);
      }
    },
  );

  it.each(MUTANTS)('$name is run by a scenario, and named by an invariant', (mutant) => {
    const names = [...SCENARIOS, ...MUTANT_SCENARIOS].map(({ name }) => name);
    expect(names.filter((name) => name === mutant.scenario)).toHaveLength(1);
    expect(mutant.breaks).not.toEqual([]);
    for (const invariant of mutant.breaks) expect(INVARIANTS).toContain(invariant);
  });

  it('are put into a copy that leaves the product as it is', () => {
    const mutant = MUTANTS.find(({ name }) => name === 'retry-of-a-refusal')!;
    copyProduct(root, join(copy, 'product'), mutant.patches);
    const file = 'services/domain/monitoring/attempt.ts';
    const changed = readFileSync(join(copy, 'product', file), 'utf8');
    expect(changed).not.toBe(readFileSync(join(root, file), 'utf8'));
    expect(existsSync(join(copy, 'product', 'node_modules', 'kafkajs'))).toBe(true);
  });

  it('refuse a patch whose place is not there, or twice', () => {
    const patch = { file: 'a.ts', find: 'x', replace: 'y' };
    expect(() => patched('abc', patch)).toThrow('a.ts has 0 places');
    expect(() => patched('x and x', patch)).toThrow('a.ts has 2 places');
  });
});
