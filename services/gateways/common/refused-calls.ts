import type { Pause } from '../../kernel/clock.ts';
import type { KeptRefusals, RefusalStore, RefusedCall, RefusedCalls } from '../../kernel/refusals.ts';
import type { Signals } from '../../kernel/signals.ts';

/** Bounds of what waits to be written; beyond them refused calls are only counted. */
export interface RefusedCallsConfig {
  /** How long refused calls gather before they are written. */
  readonly gatherMs: number;
  readonly clientsMax: number;
  /** Kinds of refusals of one client that are kept apart. */
  readonly kindsMax: number;
}

/** Bounds that hold unless a test wants others: some megabytes at most. */
export const REFUSED_CALLS_LIMITS: RefusedCallsConfig = {
  gatherMs: 2_000, clientsMax: 256, kindsMax: 20,
};

/** What keeping refused calls takes. */
export interface RefusedCallsPorts {
  readonly store: Pick<RefusalStore, 'keep'>;
  readonly pause: Pause;
  readonly signals: Signals;
  /** True for a name that the interface gives: it is no text of a caller. */
  readonly isKnownName: (name: string) => boolean;
}

/** How many of its kind, and when the first and the last were. */
type Counted = { -readonly [Name in keyof KeptRefusals]: KeptRefusals[Name] };

const POINTERS_MAX = 5;
/** Names of one pointer, the empty one before its first bar included. */
const NAMES_MAX = 9;
const INDEX = /^\d{1,4}$/;
/** The row of what was too various to be kept apart. */
const OTHERS = { operation: 'others', status: 0, code: 'others', pointers: [] } as const;

/**
 * Gathers refused calls and writes them now and then, client by client, beside the calls: a call
 * never waits for it. What is beyond the bounds, and what the store does not take, is counted.
 */
export function createRefusedCalls(
  { gatherMs, clientsMax, kindsMax }: RefusedCallsConfig,
  { store, pause, signals, isKnownName }: RefusedCallsPorts,
): RefusedCalls {
  let gathered = new Map<string, Map<string, Counted>>();
  let isWriting = false;

  function kindsOf(clientId: string): Map<string, Counted> | undefined {
    const known = gathered.get(clientId);
    if (known !== undefined || gathered.size >= clientsMax) return known;
    const kinds = new Map<string, Counted>();
    gathered.set(clientId, kinds);
    return kinds;
  }

  function count(kinds: Map<string, Counted>, { atMs, ...call }: RefusedCall): void {
    const pointers = call.limit === undefined
      ? shownPointers(call.pointers, isKnownName) : [`/limits/${call.limit}`];
    const name = `${call.operation} ${call.status} ${call.code} ${pointers.join(' ')}`;
    const isOther = !kinds.has(name) && kinds.size >= kindsMax;
    const known = kinds.get(isOther ? OTHERS.code : name);
    if (known !== undefined) {
      known.count += 1;
      known.last_at_ms = atMs;
      return;
    }
    const { operation, status, code } = call;
    kinds.set(isOther ? OTHERS.code : name, {
      ...(isOther ? OTHERS : { operation, status, code, pointers }),
      count: 1, first_at_ms: atMs, last_at_ms: atMs,
    });
  }

  async function writeAll(): Promise<void> {
    while (gathered.size > 0) {
      await pause(gatherMs);
      const taken = gathered;
      gathered = new Map();
      await Promise.all(
        [...taken].map(([clientId, kinds]) => write(clientId, [...kinds.values()])),
      );
    }
    isWriting = false;
  }

  async function write(clientId: string, refusals: readonly KeptRefusals[]): Promise<void> {
    const calls = refusals.reduce((sum, each) => sum + each.count, 0);
    try {
      await store.keep(clientId, refusals);
      signals.refusalsKept({ outcome: 'kept', calls });
    } catch {
      // The store's own signal says why; refusals are worth no second try.
      signals.refusalsKept({ outcome: 'dropped', calls });
    }
  }

  return {
    report(call) {
      const kinds = kindsOf(call.clientId);
      if (kinds === undefined) {
        signals.refusalsKept({ outcome: 'dropped', calls: 1 });
        return;
      }
      count(kinds, call);
      if (isWriting) return;
      isWriting = true;
      void writeAll();
    },
  };
}

/** The first pointers, with `*` for each name that a caller may have chosen. */
function shownPointers(
  pointers: readonly string[], isKnownName: (name: string) => boolean,
): readonly string[] {
  const shown = pointers.slice(0, POINTERS_MAX).map((pointer) => pointer.split('/')
    .slice(0, NAMES_MAX)
    .map((name) => (name === '' || INDEX.test(name) || isKnownName(name) ? name : '*')).join('/'));
  return [...new Set(shown)];
}
