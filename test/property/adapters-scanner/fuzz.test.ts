import { beforeAll, describe, expect, it } from 'vitest';
import { bundleOf, type Bundle } from '../../../schemas/bundles.ts';
import { compileScanner, readSource } from '../../../scripts/build-scanner/compile.ts';
import { openParts } from '../../fuzz/scanner/parts.ts';
import { runChunk, type FuzzParts } from '../../fuzz/scanner/run-chunk.ts';
import {
  addTallies, complaintsOf, NO_CASES, type ScanTally,
} from '../../fuzz/scanner/tally.ts';
import { createScanner } from '../../../services/adapters/scanner/create-scanner.ts';
import type { ScanBody } from '../../../services/kernel/body-scanner.ts';

const SEED = 20_261_121;
const CHUNKS = 4;
const MUTANT_CHUNKS_MAX = 20;
const REPORTED = { text: 'device_id', list: 'locations' };

let parts: FuzzParts & { readonly binary: Uint8Array };
beforeAll(async () => { parts = await openParts(); });

/** Runs until something is wrong, at most so many chunks of a size. */
function fuzz(scan: ScanBody, chunks: number, cases: number): ScanTally {
  let tally = NO_CASES;
  for (let chunk = 0; chunk < chunks && tally.wrong === 0; chunk += 1) {
    tally = addTallies(tally, runChunk({ ...parts, scan }, SEED, chunk, cases));
  }
  return tally;
}

describe('the scanner beside the exact path', () => {
  it('takes no broken body that the other refuses or writes otherwise, and most good ones', () => {
    const tally = fuzz(parts.scan, CHUNKS, 10_000);
    expect(tally.wrongCases).toEqual([]);
    expect(complaintsOf(tally)).toEqual([]);
    expect(tally).toMatchObject({ cases: CHUNKS * 10_000, wrong: 0 });
    expect(tally.taken).toBeGreaterThan(tally.cases / 10);
    expect(tally.rewritten).toBeGreaterThan(tally.cases / 100);
  });

  it('is the same again for the same seed', () => {
    expect(runChunk(parts, 7, 3, 500)).toEqual(runChunk(parts, 7, 3, 500));
    expect(runChunk(parts, 7, 3, 500)).not.toEqual(runChunk(parts, 8, 3, 500));
  });
});

interface Mutant {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Defects that would go to production unseen if the fuzzing did not see them. */
const MUTANTS: readonly (readonly [string, Mutant])[] = [
  ['that trusts 17 digits', {
    file: 'number', from: 'DIGITS_KEPT_MAX: i32 = 15', to: 'DIGITS_KEPT_MAX: i32 = 17',
  }],
  ['that takes a number below a millionth', {
    file: 'number', from: 'LEADING_ZEROS_MAX: i32 = 5', to: 'LEADING_ZEROS_MAX: i32 = 6',
  }],
  ['that takes a member twice', {
    file: 'scan', from: 'if ((seen & bit) != 0) return 0;', to: '',
  }],
  ['that misses a missing member', {
    file: 'scan', from: '(seen & wanted) == wanted ? at + 1 : 0', to: 'seen != 0 ? at + 1 : 0',
  }],
  ['that takes a surrogate', { file: 'text', from: 'second > 0x9f', to: 'second > 0xbf' }],
  ['that takes a vertical tab for a space', {
    file: 'rewrite', from: 'byte == 0x09;', to: 'byte == 0x09 || byte == 0x0b;',
  }],
  ['that leaves zeros at the end of a short number', {
    file: 'plain-number', from: 'load<u8>(to - 1) <= ZERO', to: 'load<u8>(to - 1) < ZERO',
  }],
  ['that takes a superfluous zero before the point', {
    file: 'plain-number', from: 'point >> sign != 2 ||', to: '',
  }],
  ['that loses the first of 15 digits when it looks at limits', {
    file: 'plain-number', from: '* 100000000', to: '* 0',
  }],
  ['that looks at 16 bytes of a name', {
    file: 'scan', from: 'v128.and(other, v128.load(member, MEMBER_MASK + 16)),', to: 'v128.splat<i8>(0),',
  }],
  ['that takes a control character in a text', {
    file: 'text', from: 'v128.splat<i8>(0x20)', to: 'v128.splat<i8>(0x1f)',
  }],
  ['that takes null of a member that must be there', {
    file: 'scan', from: ' || (wanted & bit) != 0', to: '',
  }],
  ['that leaves the comma before a null', {
    file: 'scan', from: 'cutOut(comma != 0 ? comma : name, at);', to: 'cutOut(name, at);',
  }],
  ['that leaves the comma behind a null', { file: 'scan', from: 'leaveOut(at, at + 1);', to: '' }],
  ['that leaves the name of a null', { file: 'rewrite', from: 'out -= 1;', to: 'out -= 0;' }],
  ['that reads over the end', { file: 'scan', from: 'if (at != end) return -1;', to: '' }],
];

describe('the fuzzing finds a scanner', () => {
  it.each(MUTANTS)('%s', async (_title, { file, from, to }) => {
    expect(readSource(file)).toContain(from);
    const binary = await compileScanner((name) => {
      const text = readSource(name);
      return name === file ? text?.replace(from, to) : text;
    }, false);
    const scan = createScanner(binary, bundleOf('LocationsBody'), REPORTED);
    const tally = fuzz(scan, MUTANT_CHUNKS_MAX, 5_000);
    expect(tally.wrong).toBeGreaterThan(0);
    expect(complaintsOf(tally)).toContainEqual(expect.stringContaining('scanned wrongly'));
  }, 60_000);

  it('whose limit is not that of the schema', () => {
    const text = JSON.stringify(bundleOf('LocationsBody'));
    const schema = JSON.parse(text, (name, member: unknown) => (
      name === 'latitude' ? { ...member as object, maximum: 9_999 } : member
    )) as Bundle;
    const scan = createScanner(parts.binary, schema, REPORTED);
    expect(fuzz(scan, MUTANT_CHUNKS_MAX, 5_000).wrong).toBeGreaterThan(0);
  });

  it('that takes nothing', () => {
    const tally = fuzz(() => undefined, 1, 2_000);
    expect(tally.wrong).toBe(0);
    expect(complaintsOf(tally)).toEqual([
      'too few good bodies were taken', 'too few acceptable bodies were taken',
    ]);
  });

  it('that gives another device or number, or gives other bytes', () => {
    const changed = (change: object): ScanBody => (bytes) => {
      const scanned = parts.scan(bytes);
      return scanned === undefined ? undefined : { ...scanned, ...change };
    };
    const reasonOf = (change: object): string | undefined =>
      fuzz(changed(change), 1, 500).wrongCases[0]?.reason;
    expect(reasonOf({ deviceId: 'x' })).toBe('gives another device');
    expect(reasonOf({ items: 0 })).toBe('gives another number of locations');
    expect(reasonOf({ canonical: Buffer.from('{}') })).toBe('gives other bytes');
  });
});
