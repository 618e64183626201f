import type { LedgerLine, PostOutcome } from './lines.ts';

/**
 * The account of a run, in items. A fact is one identity, however often it was sent.
 * `accepted = stored + duplicates + dead + lost` when nothing is `stored_unconfirmed`.
 */
export interface Balance {
  /** Items that left at least once, with the repeats that the data itself holds. */
  readonly sent: number;
  /** Items of accepted posts. */
  readonly accepted: number;
  readonly refused: number;
  /** Items whose answer never came. */
  readonly unknown: number;
  /** Accepted facts that are stored. */
  readonly stored: number;
  /** Facts of unknown outcome that are stored; they may be. */
  readonly stored_unconfirmed: number;
  /** Further accepted copies of a fact that was accepted already. */
  readonly duplicates: number;
  /** Accepted facts that are not stored but lie in the dead letters. */
  readonly dead: number;
  /** Accepted facts that are nowhere. */
  readonly lost: number;
  /** Rows beyond the first of the same fact. */
  readonly doubled: number;
  /** Stored facts that were never sent, or only refused. */
  readonly phantom: number;
}

interface Fact {
  accepted: number;
  maybe: boolean;
  rows: number;
  dead: boolean;
}

/** Takes a ledger, rows and dead letters piece by piece, in any order, and balances them. */
export interface Comparison {
  readonly addLine: (line: LedgerLine) => void;
  /** One stored row, by its identity. */
  readonly addRow: (identity: string) => void;
  /** One item of a dead letter, by its identity. */
  readonly addDead: (identity: string) => void;
  /** True when a line that has its end, or a row, had this identity. */
  readonly knows: (identity: string) => boolean;
  readonly balance: () => Balance;
}

/** Starts a comparison; it holds one small entry per fact. */
export function createComparison(): Comparison {
  const facts = new Map<string, Fact>();
  const open = new Map<string, readonly string[]>();
  const items: Record<PostOutcome, number> = { accepted: 0, refused: 0, unknown: 0, unsent: 0 };

  function factOf(identity: string): Fact {
    let fact = facts.get(identity);
    if (fact === undefined) {
      fact = { accepted: 0, maybe: false, rows: 0, dead: false };
      facts.set(identity, fact);
    }
    return fact;
  }

  function addOutcome(identities: readonly string[], outcome: PostOutcome, maybe: boolean): void {
    items[outcome] += identities.length;
    for (const identity of identities) {
      const fact = factOf(identity);
      if (outcome === 'accepted') fact.accepted += 1;
      fact.maybe ||= maybe;
    }
  }

  return {
    addLine(line) {
      if (line.line !== 'end') {
        open.set(line.post, line.items.map((item) => (typeof item === 'string' ? item : item[3])));
        return;
      }
      const identities = open.get(line.post);
      if (identities === undefined) return;
      open.delete(line.post);
      const maybe = line.outcome === 'unknown' || line.may_have_been_taken === true;
      addOutcome(line.items ?? identities, line.outcome, maybe);
    },
    addRow(identity) {
      factOf(identity).rows += 1;
    },
    addDead(identity) {
      factOf(identity).dead = true;
    },
    knows: (identity) => facts.has(identity),
    balance() {
      for (const [post, identities] of open) {
        open.delete(post);
        addOutcome(identities, 'unknown', true);
      }
      return sum(facts.values(), items);
    },
  };
}

function sum(facts: Iterable<Fact>, items: Readonly<Record<PostOutcome, number>>): Balance {
  const { accepted, refused, unknown } = items;
  const totals = {
    stored: 0, stored_unconfirmed: 0, duplicates: 0, dead: 0, lost: 0, doubled: 0, phantom: 0,
  };
  for (const fact of facts) {
    totals.duplicates += Math.max(0, fact.accepted - 1);
    totals.doubled += Math.max(0, fact.rows - 1);
    const outcome = outcomeOf(fact);
    if (outcome !== undefined) totals[outcome] += 1;
  }
  return { sent: accepted + refused + unknown, accepted, refused, unknown, ...totals };
}

/** The one end of a fact; `undefined` for one that is not stored and need not be. */
function outcomeOf(fact: Fact) {
  if (fact.rows > 0) {
    if (fact.accepted > 0) return 'stored';
    return fact.maybe ? 'stored_unconfirmed' : 'phantom';
  }
  if (fact.accepted === 0) return undefined;
  return fact.dead ? 'dead' : 'lost';
}
