import type { Clock } from '../../kernel/clock.ts';
import type { LocationFix } from '../../../schemas/generated/types.ts';
import type { Delivery } from '../client/deliver.ts';
import { identityOfSent } from './identity.ts';
import type { LedgerLine, PostOutcome } from './lines.ts';

/** Items by their fate so far; `in_hand` are begun and have no end yet. */
export interface LedgerCounts {
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
  readonly unknown: number;
  readonly in_hand: number;
  /** Tries beyond the first, of any post. */
  readonly repeats: number;
}

/** The book of what was sent and how it ended. */
export interface Ledger {
  /** Enters a post before its first try; returns its number. */
  readonly begin: (device_id: string, fixes: readonly LocationFix[]) => OpenPost;
  readonly end: (post: OpenPost, delivery: Delivery) => void;
  readonly counts: () => LedgerCounts;
}

/** A post that has no end yet. */
export interface OpenPost {
  readonly post: string;
  readonly items: number;
}

/**
 * Counts items and hands every line to `write` before the item leaves, so that a killed provider
 * still has told what it may have sent. Memory holds counts only.
 */
export function createLedger(
  run: string, clock: Clock, write: (line: LedgerLine) => void,
): Ledger {
  const items: Record<PostOutcome | 'begun', number> = {
    begun: 0, accepted: 0, refused: 0, unknown: 0, unsent: 0,
  };
  let posts = 0;
  let repeats = 0;

  return {
    begin(device_id, fixes) {
      posts += 1;
      const post = `${run}-${posts}`;
      items.begun += fixes.length;
      write({
        line: 'post', post, device_id, at_ms: clock.nowMs(),
        items: fixes.map((fix) => [
          fix.timestamp, fix.latitude, fix.longitude, identityOfSent(device_id, fix),
        ]),
      });
      return { post, items: fixes.length };
    },
    end(open, delivery) {
      const neverTaken = delivery.outcome === 'unknown' && !delivery.mayHaveBeenTaken;
      const outcome = neverTaken ? 'unsent' : delivery.outcome;
      items[outcome] += open.items;
      repeats += Math.max(0, delivery.tries - 1);
      write({
        line: 'end', post: open.post, at_ms: clock.nowMs(), outcome, tries: delivery.tries,
        ...describe(delivery),
      });
    },
    counts() {
      const { begun, accepted, refused, unknown, unsent } = items;
      const in_hand = begun - accepted - refused - unknown - unsent;
      return { sent: begun - unsent, accepted, refused, unknown, in_hand, repeats };
    },
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
