import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const MAIN = new URL('../../../services/gateways/main.ts', import.meta.url);

describe('the flags of V8 that gateways set', () => {
  it('are known to this Node, which passes over those it does not know', () => {
    const flags = [...readFileSync(MAIN, 'utf8').matchAll(/setFlagsFromString\('(--[a-z-]+)'\)/g)]
      .map(([, flag = '']) => flag);
    expect(flags).not.toHaveLength(0);
    const known = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    for (const flag of flags) expect(known).toContain(`  ${flag} (`);
  });
});
