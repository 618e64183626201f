import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createComparison, type Balance } from '../../../services/provider/ledger/compare.ts';
import type { LedgerLine, PostOutcome } from '../../../services/provider/ledger/lines.ts';

interface Post {
  readonly facts: readonly string[];
  readonly end: PostOutcome | 'none' | 'refused_later';
}

const fact = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const history = fc.record({
  posts: fc.array(fc.record({
    facts: fc.array(fact, { minLength: 1, maxLength: 4 }),
    end: fc.constantFrom<Post['end']>(
      'accepted', 'accepted', 'refused', 'unknown', 'unsent', 'none', 'refused_later'),
  }), { maxLength: 12 }),
  rows: fc.array(fact, { maxLength: 14 }),
  dead: fc.array(fact, { maxLength: 4 }),
});

function linesOf(posts: readonly Post[]): LedgerLine[] {
  return posts.flatMap(({ facts, end }, index): LedgerLine[] => {
    const post = `run-${index}`;
    const begun: LedgerLine = {
      line: 'post', post, device_id: 'd', at_ms: 0,
      items: facts.map((identity) => [0, 0, 0, identity] as const),
    };
    if (end === 'none') return [begun];
    const outcome = end === 'refused_later' ? 'refused' : end;
    const later = end === 'refused_later' ? { may_have_been_taken: true as const } : {};
    return [begun, { line: 'end', post, at_ms: 0, outcome, tries: 1, ...later }];
  });
}

/** The same account, counted fact by fact. */
function oracle(posts: readonly Post[], rows: readonly string[], dead: readonly string[]): Balance {
  const itemsWith = (...ends: Post['end'][]) =>
    posts.filter((post) => ends.includes(post.end)).flatMap((post) => post.facts);
  const accepted = itemsWith('accepted');
  const maybe = itemsWith('unknown', 'none', 'refused_later');
  const unknown = itemsWith('unknown', 'none').length;
  const refused = itemsWith('refused', 'refused_later').length;
  const distinct = [...new Set(accepted)];
  const storedFacts = [...new Set(rows)];
  const notStored = distinct.filter((one) => !rows.includes(one));
  return {
    sent: accepted.length + unknown + refused,
    accepted: accepted.length,
    refused,
    unknown,
    stored: distinct.length - notStored.length,
    stored_unconfirmed: storedFacts
      .filter((one) => !accepted.includes(one) && maybe.includes(one)).length,
    duplicates: accepted.length - distinct.length,
    dead: notStored.filter((one) => dead.includes(one)).length,
    lost: notStored.filter((one) => !dead.includes(one)).length,
    doubled: rows.length - storedFacts.length,
    phantom: storedFacts.filter((one) => !accepted.includes(one) && !maybe.includes(one)).length,
  };
}

function balanceOf(posts: readonly Post[], rows: readonly string[], dead: readonly string[]) {
  const comparison = createComparison();
  for (const line of linesOf(posts)) comparison.addLine(line);
  for (const row of rows) comparison.addRow(row);
  for (const one of dead) comparison.addDead(one);
  return comparison.balance();
}

describe('the comparison of a ledger with what is stored', () => {
  it('agrees with plain counting for any history', () => {
    fc.assert(fc.property(history, ({ posts, rows, dead }) => {
      expect(balanceOf(posts, rows, dead)).toEqual(oracle(posts, rows, dead));
    }), { numRuns: 1_000 });
  });

  it('always balances: accepted = stored + duplicates + dead + lost', () => {
    fc.assert(fc.property(history, ({ posts, rows, dead }) => {
      const balance = balanceOf(posts, rows, dead);
      expect(balance.stored + balance.duplicates + balance.dead + balance.lost)
        .toBe(balance.accepted);
    }));
  });

  it('does not depend on whether rows or ledger come first', () => {
    fc.assert(fc.property(history, ({ posts, rows, dead }) => {
      const comparison = createComparison();
      for (const row of rows) comparison.addRow(row);
      for (const one of dead) comparison.addDead(one);
      for (const line of linesOf(posts)) comparison.addLine(line);
      expect(comparison.balance()).toEqual(balanceOf(posts, rows, dead));
    }));
  });

  it('may be asked twice', () => {
    const comparison = createComparison();
    for (const line of linesOf([{ facts: ['a'], end: 'none' }])) comparison.addLine(line);
    expect(comparison.balance()).toEqual(comparison.balance());
  });
});
