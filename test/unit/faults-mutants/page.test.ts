import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../faults/mutants/all-mutants.ts';
import { lineOfMutant, mutantPageOf } from '../../faults/mutants/mutant-page.ts';
import { scenarioOf, type MutantRow } from '../../faults/mutants/run-mutants.ts';
import { brokenRow } from '../../faults/run/table.ts';

const caught: MutantRow = {
  mutant: 'acks-one', scenario: 'followers-stalled', seed: 7,
  named: { I1: { lost: 3 }, I9: { 'order-violation': 1 } },
  said: 'I1 lost: it is nowhere.', isCaught: true, trouble: '', seconds: 60,
};
const missed: MutantRow = { ...caught, mutant: 'no-drain', named: {}, said: '', isCaught: false };

describe('the page of the mutants', () => {
  it('says of each mutant by what it was named, with seed and commit', () => {
    const page = mutantPageOf({ mutants: [{ ...caught, commit: 'abc' }], controls: [] });
    expect(page).toContain(`1 of ${MUTANTS.length} mutants were caught`);
    expect(page).toContain(
      '| acks-one | followers-stalled | I1 | I1 lost×3, I9 order-violation×1 | 7 | abc |',
    );
    expect(page).toContain('I1 lost: it is nowhere.');
  });

  it('hides neither a mutant that was missed nor a control that was red', () => {
    const control = brokenRow(scenarioOf(MUTANTS[0]!), 7, new Error('no cluster'));
    const page = mutantPageOf({
      mutants: [{ ...missed, commit: 'abc' }], controls: [{ ...control, commit: 'abc' }],
    });
    expect(page).toContain(`0 of ${MUTANTS.length} mutants were caught`);
    expect(page).toMatch(/Not tried yet:.* acks-one,/);
    expect(page).toContain('| **missed** no-drain |');
    expect(page).toContain(`| **red** ${control.name} |`);
    expect(page).toContain('Nothing was said.');
  });

  it('has a line for the terminal', () => {
    expect(lineOfMutant(caught)).toContain('caught  acks-one (followers-stalled, breaks I1');
    expect(lineOfMutant(missed)).toMatch(/^MISSED {2}no-drain.*: nothing was said$/);
  });
});
