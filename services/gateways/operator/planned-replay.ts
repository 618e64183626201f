import type { DeadLetterReplay } from '../../../schemas/generated/types.ts';
import type { FoldSource } from '../../kernel/fold.ts';
import { newestReason, type DeadLetterSummary } from '../../operator/dead-letters/dead-letter.ts';
import { newerCommands } from '../../operator/dead-letters/newer-commands.ts';
import type { OpenDeadLetterLog } from '../../operator/dead-letters/open-log.ts';
import { planReplay, type ReplayPlan } from '../../operator/dead-letters/plan-replay.ts';

/** Where the operations read dead letters. */
export interface DeadLetterSource extends FoldSource {
  readonly open: OpenDeadLetterLog;
}

/** The dead letters of a signature that were written until a time, and what a replay does. */
export interface PlannedReplay {
  /** The topic of the signature; undefined where nothing of it is open. */
  readonly topic: string | undefined;
  /** When the newest of them was written, ms since epoch; undefined for none. */
  readonly lastAtMs: number | undefined;
  readonly plan: ReplayPlan;
}

/** Plans by the rules of `rastro dlq replay` what of a signature is put back. */
export async function planSignature(
  source: DeadLetterSource, signature: string, untilMs = Infinity,
): Promise<PlannedReplay> {
  const { deadLetters } = await source.open.read();
  const all = [...deadLetters.values()];
  const chosen = all.filter((deadLetter) => hasSignature(deadLetter, signature)
    && newestReason(deadLetter).at_ms <= untilMs);
  const isNewer = await newerCommands(source, chosen);
  return {
    topic: chosen[0]?.topic,
    lastAtMs: chosen.length === 0 ? undefined : chosen.reduce((newest, deadLetter) => (
      Math.max(newest, newestReason(deadLetter).at_ms)), -Infinity),
    plan: planReplay(all, chosen, isNewer),
  };
}

/** What still has to be put back of a plan, of which some is `closed` now. */
export function replayResource(
  signature: string, untilMs: number, { go, repeats, refused }: ReplayPlan, closed = 0,
): DeadLetterReplay {
  const remaining = go.length + repeats.length - closed;
  const byReason = Map.groupBy(refused, ({ why }) => why);
  return {
    signature, until: new Date(untilMs).toISOString(), remaining,
    held_back: [...byReason].map(([why, own]) => ({ why, dead_letters: own.length })),
    has_more: remaining > 0,
  };
}

function hasSignature({ reasons }: DeadLetterSummary, signature: string): boolean {
  return reasons.some((reason) => reason.signature === signature);
}
