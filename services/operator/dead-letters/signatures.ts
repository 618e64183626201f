import type { DeadLetterSummary, Reason } from './dead-letter.ts';
import { hintOf } from './hints.ts';

/** Dead letters of one cause. */
export interface SignatureGroup extends Pick<Reason, 'signature' | 'stage' | 'code' | 'detail'> {
  readonly topic: string;
  /** The workers that could not process the records, sorted. */
  readonly workers: readonly string[];
  readonly deadLetters: number;
  readonly open: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  /** The newest one. */
  readonly sample: DeadLetterSummary;
  /** What to do, for the operator who repairs it. */
  readonly hint: string;
}

/** Dead letters by signature, most of them first; one is in the group of each of its reasons. */
export function groupBySignature(
  deadLetters: Iterable<DeadLetterSummary>,
): readonly SignatureGroup[] {
  const reasons = [...deadLetters].flatMap((deadLetter) => (
    deadLetter.reasons.map((reason) => ({ deadLetter, reason }))));
  const groups = Map.groupBy(reasons, ({ reason }) => reason.signature);
  return [...groups].map(([signature, own]) => {
    const newest = own.reduce((a, b) => (b.reason.at_ms >= a.reason.at_ms ? b : a));
    const { stage, code, detail } = newest.reason;
    return {
      signature, topic: newest.deadLetter.topic, stage, code, detail,
      workers: [...new Set(own.map(({ reason }) => reason.worker))].sort(),
      deadLetters: own.length,
      open: own.filter(({ deadLetter }) => deadLetter.state === 'open').length,
      firstAtMs: own.reduce((least, { reason }) => Math.min(least, reason.at_ms), Infinity),
      lastAtMs: newest.reason.at_ms,
      sample: newest.deadLetter,
      hint: hintOf(code),
    };
  }).sort((a, b) => b.deadLetters - a.deadLetters);
}
