import type { LocationFix } from '../../../schemas/generated/types.ts';
import type { ScanBody } from '../../../services/kernel/body-scanner.ts';
import { createDice, type Dice } from '../../faults/dice.ts';
import type { ExactWay } from '../../support/exact-way.ts';
import { applyEdits, type Mutation } from './edits.ts';
import { goodBody, recordedBody } from './good-bodies.ts';
import { indexBody, type IndexedBody } from './index-body.ts';
import { compareScan } from './compare.ts';
import { BYTE_MUTATIONS } from './mutations/bytes.ts';
import { NUMBER_MUTATIONS } from './mutations/numbers.ts';
import { STRUCTURE_MUTATIONS } from './mutations/structure.ts';
import { TEXT_MUTATIONS } from './mutations/texts.ts';
import type { ScanTally, WrongCase } from './tally.ts';

/** What a chunk is run with; `fixes` are recorded ones. */
export interface FuzzParts {
  readonly scan: ScanBody;
  readonly exact: ExactWay;
  readonly fixes: readonly LocationFix[];
}

/** Cases of one chunk: it is the same again for the same seed and number. */
export const CASES_PER_CHUNK = 10_000;

const KINDS: readonly (readonly Mutation[])[] = [
  BYTE_MUTATIONS, NUMBER_MUTATIONS, TEXT_MUTATIONS, STRUCTURE_MUTATIONS,
];
const BASES = 200;
const RECORDED_SHARE = 0.2;
const UNBROKEN_SHARE = 1 / 16;
const THOROUGH_EVERY = 16;

/** Breaks good bodies in so many ways, and compares the scanner with the exact path for each. */
export function runChunk(
  { scan, exact, fixes }: FuzzParts, seed: number, chunk: number, cases = CASES_PER_CHUNK,
): ScanTally {
  const dice = createDice(`${seed}/${chunk}`);
  const bases = Array.from({ length: BASES }, () => indexBody(
    fixes.length > 0 && dice.chance(RECORDED_SHARE) ? recordedBody(dice, fixes) : goodBody(dice),
  ));
  const counts = {
    cases, taken: 0, rewritten: 0, good: 0, goodTaken: 0, acceptable: 0, acceptableTaken: 0,
    wrong: 0,
  };
  const wrongCases: WrongCase[] = [];
  for (let at = 0; at < cases; at += 1) {
    const base = dice.pick(bases);
    const isGood = dice.chance(UNBROKEN_SHARE);
    // A copy, because a real call has its body to itself, too.
    const bytes = isGood ? Buffer.from(base.bytes) : broken(dice, base);
    const isThorough = at % THOROUGH_EVERY === 0;
    const verdict = compareScan(scan, exact, bytes, isThorough);
    const isTaken = verdict.kind === 'taken';
    if (isTaken) counts.taken += 1;
    if (isTaken && verdict.isRewritten) counts.rewritten += 1;
    if (isGood) counts.good += 1;
    if (isGood && isTaken) counts.goodTaken += 1;
    if (isThorough && (isTaken || verdict.kind === 'spurned')) counts.acceptable += 1;
    if (isThorough && isTaken) counts.acceptableTaken += 1;
    if (verdict.kind === 'wrong') {
      counts.wrong += 1;
      const { reason } = verdict;
      wrongCases.push({ seed, chunk, at, reason, base64: bytes.toString('base64') });
    }
  }
  return { ...counts, wrongCases: wrongCases.slice(0, 20) };
}

/** A body with one to three changes. */
function broken(dice: Dice, base: IndexedBody): Buffer {
  const changes = dice.chance(0.7) ? 1 : dice.between(2, 3);
  const mutations = Array.from({ length: changes }, () => dice.pick(dice.pick(KINDS)));
  return applyEdits(base.bytes, mutations.flatMap((mutate) => mutate(dice, base)));
}
