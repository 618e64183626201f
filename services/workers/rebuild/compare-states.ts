import type { StoredEntry, StateUpkeep } from '../../kernel/state-upkeep.ts';

/** How one entry of the running store stands to what the log says. */
export type EntryVerdict = 'same' | 'differs' | 'missing' | 'extra';

/** One entry that is not as the log says. */
export interface Difference {
  readonly name: string;
  readonly kind: string;
  readonly verdict: Exclude<EntryVerdict, 'same'>;
}

/** What a comparison found. */
export interface StateComparison {
  /** By kind of entry, in the order of their names. */
  readonly kinds: Readonly<Record<string, Readonly<Record<EntryVerdict, number>>>>;
  /** The first of them, at most as many as were asked for. */
  readonly differences: readonly Difference[];
}

/** Entries that did not agree at once and are looked at again; more are counted as they are. */
const DOUBTFUL_MAX = 100_000;

/**
 * Compares every entry of `live` with `shadow`, which holds what the log says. Facts go on
 * meanwhile, so what does not agree is looked at again after `catchUp` has brought the shadow up to
 * the log's end.
 */
export async function compareStates(
  live: StateUpkeep, shadow: StateUpkeep, catchUp: () => Promise<void>, shownMax: number,
): Promise<StateComparison> {
  const verdicts = new Map<string, { readonly kind: string; readonly verdict: EntryVerdict }>();
  await shadow.scan(async (entries) => compare(entries, await byName(live, entries), 'missing'));
  await live.scan(async (entries) => {
    const known = await byName(shadow, entries);
    compare(entries.filter(({ name }) => !known.has(name)), new Map(), 'extra');
  });

  function compare(
    entries: readonly StoredEntry[], others: ReadonlyMap<string, StoredEntry>, alone: EntryVerdict,
  ): void {
    for (const { name, kind, content, isLeaving } of entries) {
      const other = others.get(name);
      if (other === undefined && isLeaving) continue;
      const agreed = other?.content === content ? 'same' : 'differs';
      verdicts.set(name, { kind, verdict: other === undefined ? alone : agreed });
    }
  }

  const doubtful = [...verdicts].filter(([, { verdict }]) => verdict !== 'same')
    .map(([name]) => name).slice(0, DOUBTFUL_MAX);
  if (doubtful.length > 0) {
    await catchUp();
    for (const name of doubtful) {
      const [mine] = await live.read([name]);
      const [expected] = await shadow.read([name]);
      const kind = mine?.kind ?? expected?.kind;
      const alone = mine === undefined ? expected : expected === undefined ? mine : undefined;
      if (kind === undefined || alone?.isLeaving === true) verdicts.delete(name);
      else verdicts.set(name, { kind, verdict: verdictOn(mine, expected) });
    }
  }
  return summed(verdicts, shownMax);
}

async function byName(
  states: StateUpkeep, entries: readonly StoredEntry[],
): Promise<ReadonlyMap<string, StoredEntry>> {
  const found = await states.read(entries.map(({ name }) => name));
  return new Map(found.map((entry) => [entry.name, entry]));
}

function verdictOn(live: StoredEntry | undefined, expected: StoredEntry | undefined): EntryVerdict {
  if (live === undefined) return 'missing';
  if (expected === undefined) return 'extra';
  return live.content === expected.content ? 'same' : 'differs';
}

function summed(
  verdicts: ReadonlyMap<string, { readonly kind: string; readonly verdict: EntryVerdict }>,
  shownMax: number,
): StateComparison {
  const kinds: Record<string, Record<EntryVerdict, number>> = {};
  const differences: Difference[] = [];
  for (const [name, { kind, verdict }] of [...verdicts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const counts = kinds[kind] ??= { same: 0, differs: 0, missing: 0, extra: 0 };
    counts[verdict] += 1;
    if (verdict !== 'same' && differences.length < shownMax) {
      differences.push({ name, kind, verdict });
    }
  }
  const sorted = Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1));
  return { kinds: Object.fromEntries(sorted), differences };
}
