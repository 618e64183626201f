import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { patched } from '../../faults/cluster/copy-product.ts';
import { HOSTILE_MUTANTS } from '../../hostile/mutants/index.ts';
import { OFFENDERS } from '../../hostile/offenders/index.ts';

describe('the mutants of hostile callers', () => {
  it.each(HOSTILE_MUTANTS)('change the product as it is: $name', ({ offender, patches }) => {
    expect(OFFENDERS.map(({ name }) => name)).toContain(offender);
    for (const patch of patches) {
      const text = readFileSync(patch.file, 'utf8');
      expect(patched(text, patch)).not.toBe(text);
    }
  });

  it('have names of their own, and a change each', () => {
    const names = HOSTILE_MUTANTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const changes = HOSTILE_MUTANTS.map(({ patches }) => JSON.stringify(patches));
    expect(new Set(changes).size).toBe(changes.length);
  });

  it('and the offenders have names of their own, at least 25 of these', () => {
    const names = OFFENDERS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(25);
    expect(OFFENDERS.filter(({ isSmoke }) => isSmoke === true)).toHaveLength(9);
  });
});
