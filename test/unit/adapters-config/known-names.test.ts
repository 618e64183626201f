import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isKnownName } from '../../../services/adapters/config/others.ts';

const ROOT_DIR = join(import.meta.dirname, '..', '..', '..');
/** Where programs read settings, and where deployments give them. */
const ROOMS = ['services', 'infra/local', 'infra/compose', 'infra/kubernetes'];
const NAME = /\b(?:RASTRO|RTT)_[A-Z0-9_]*[A-Z0-9]\b/g;

function namesIn(room: string): readonly string[] {
  return readdirSync(join(ROOT_DIR, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|yaml)$/.test(entry.name))
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').match(NAME) ?? []);
}

describe('a name of ours', () => {
  it.each(ROOMS)('in %s is known to every program, since one environment serves several', (room) => {
    const names = [...new Set(namesIn(room))];
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !isKnownName(name))).toEqual([]);
  });

  it('that is misspelt is not known', () => {
    expect(isKnownName('RASTRO_ANALYST_DIR')).toBe(false);
  });
});
