import type { Clock } from '../../kernel/clock.ts';
import type { LocationFix } from '../../../schemas/generated/types.ts';
import type { Delivery } from '../client/deliver.ts';
import { identityOfSent } from './identity.ts';
import type { LedgerLine, OtherKind, PostOutcome } from './lines.ts';

/** Locations by their outcome so far. */
export interface LedgerCounts {
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  /** Items of all kinds that are begun and have no end yet. */
  readonly in_hand: number;
  /** Tries beyond the first, of any post. */
  readonly repeats: number;
}

/** The book of what was sent and how it ended. */
export interface Ledger {
  /** Enters a post before its first try; returns its number. */
  readonly begin: (device_id: string, fixes: readonly LocationFix[]) => OpenPost;
  /** As `begin`, for items of another kind by their identities (`identities.ts`). */
  readonly beginItems: (kind: OtherKind, identities: readonly string[]) => OpenPost;
  /** `learned` are identities that only an accepting answer gives. */
  readonly end: (post: OpenPost, delivery: Delivery, learned?: readonly string[]) => void;
  readonly counts: () => LedgerCounts;
  /** Items of the other kinds by their end, e.g. `events_accepted`. */
  readonly countsOfOthers: () => Readonly<Record<string, number>>;
}

/** A post that has no end yet. */
export interface OpenPost {
  readonly post: string;
  readonly kind: OtherKind | 'locations';
  readonly items: number;
}

/**
 * Counts items and hands every line to `write` before the item leaves, so that the ledger of a
 * killed provider has all that it may have sent. Memory holds counts only.
 */
export function createLedger(
  run: string, clock: Clock, write: (line: LedgerLine) => void,
): Ledger {
  const items: Record<PostOutcome | 'begun', number> = {
    begun: 0, accepted: 0, refused: 0, unknown: 0, unsent: 0,
  };
  const others: Record<string, number> = {};
  let posts = 0;
  let repeats = 0;
  let inHand = 0;

  function open(kind: OpenPost['kind'], count: number): OpenPost {
    posts += 1;
    inHand += count;
    return { post: `${run}-${posts}`, kind, items: count };
  }

  return {
    begin(device_id, fixes) {
      const opened = open('locations', fixes.length);
      const { post } = opened;
      items.begun += fixes.length;
      write({
        line: 'post', post, device_id, at_ms: clock.nowMs(),
        items: fixes.map((fix) => [
          fix.timestamp, fix.latitude, fix.longitude, identityOfSent(device_id, fix),
        ]),
      });
      return opened;
    },
    beginItems(kind, identities) {
      const opened = open(kind, identities.length);
      write({ line: 'items', kind, post: opened.post, at_ms: clock.nowMs(), items: identities });
      return opened;
    },
    end({ post, kind, items: count }, delivery, learned) {
      const neverTaken = delivery.outcome === 'unknown' && !delivery.mayHaveBeenTaken;
      const outcome = neverTaken ? 'unsent' : delivery.outcome;
      inHand -= count;
      if (kind === 'locations') {
        items[outcome] += count;
      } else {
        const name = `${kind.replace(' ', '_')}_${outcome}`;
        others[name] = (others[name] ?? 0) + count;
      }
      repeats += Math.max(0, delivery.tries - 1);
      write({
        line: 'end', post, at_ms: clock.nowMs(), outcome, tries: delivery.tries,
        ...describe(delivery), ...(learned === undefined ? {} : { items: learned }),
      });
    },
    counts() {
      const { begun, accepted, refused, unknown, unsent } = items;
      return { sent: begun - unsent, accepted, refused, unknown, in_hand: inHand, repeats };
    },
    countsOfOthers: () => ({ ...others }),
  };
}

function describe(delivery: Delivery) {
  const { reply, outcome, mayHaveBeenTaken } = delivery;
  return {
    ...(reply.kind === 'answer' ? { status: reply.status } : {}),
    ...(outcome === 'refused' && mayHaveBeenTaken ? { may_have_been_taken: true as const } : {}),
    ...(outcome === 'refused' && reply.kind === 'answer' ? { answer: reply.body } : {}),
  };
}
