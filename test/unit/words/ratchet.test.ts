import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heldAgainst, RATCHET, writeRatchet } from '../../../scripts/check/words/ratchet.ts';

let root = '';
const offence = { rule: 'anew', path: 'a.md', line: 1, says: 'anew', instead: 'say again' };

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rastro-ratchet-'));
  mkdirSync(join(root, 'scripts/quality'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function allow(count: number, isExact: boolean): void {
  writeFileSync(join(root, RATCHET), JSON.stringify({ isExact, left: { prose: { anew: count } } }));
}

describe('the counts that are left', () => {
  it('without a file let no offence pass, and say where it is', () => {
    expect(heldAgainst(root, 'prose', [])).toEqual([]);
    expect(heldAgainst(root, 'prose', [offence])).toEqual(['a.md:1 "anew" in "anew": say again']);
  });

  it('let as many pass as the file says, and no more', () => {
    allow(1, true);
    expect(heldAgainst(root, 'prose', [offence])).toEqual([]);
    expect(heldAgainst(root, 'prose', [offence, offence])).toEqual([
      expect.stringContaining('"anew" rose from 1 to 2'),
    ]);
  });

  it('must be written down when they fell, if the file is exact', () => {
    allow(2, true);
    expect(heldAgainst(root, 'prose', [offence])).toEqual([
      '"anew": 1, the file says 2: run node scripts/check.ts --write-words-left',
    ]);
    allow(2, false);
    expect(heldAgainst(root, 'prose', [offence])).toEqual([]);
  });

  it('are written again, and the file goes with the last offence', () => {
    allow(9, true);
    writeRatchet(root, { prose: [offence], glossary: [] });
    expect(JSON.parse(readFileSync(join(root, RATCHET), 'utf8'))).toEqual({
      isExact: true, left: { prose: { anew: 1 }, glossary: {} },
    });
    writeRatchet(root, { prose: [], glossary: [] });
    expect(existsSync(join(root, RATCHET))).toBe(false);
  });
});
