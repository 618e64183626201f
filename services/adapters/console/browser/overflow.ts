import type { OverflowBody, OverflowDecision } from '../../../../schemas/generated/types.ts';

/** What a person says of a move. */
export interface MoveWords {
  readonly kind: 'device' | 'provider';
  readonly name: string;
  readonly state: OverflowBody['state'];
  /** How long, in minutes; empty until the next decision. */
  readonly minutes: string;
  readonly reason: string;
}

/** The body of the call for a move. A device stays until the next decision. */
export function moveBody({ kind, name, state, minutes, reason }: MoveWords): OverflowBody {
  return {
    subject: `${kind}:${name.trim()}`, state, reason,
    ...(minutes === '' || kind === 'device' ? {} : { minutes: Number(minutes) }),
  };
}

/** A decision as a row: about whom, which way, by whom, since when, until when, why. */
export function decisionRow(
  { subject, state, by, since, until, reason = '' }: OverflowDecision,
  words: {
    readonly states: Readonly<Record<OverflowDecision['state'], string>>;
    readonly by: Readonly<Record<OverflowDecision['by'], string>>;
  },
  timeText: (ms: number) => string,
): readonly string[] {
  return [
    subject, words.states[state], words.by[by], timeText(Date.parse(since)),
    until === undefined ? '' : timeText(Date.parse(until)), reason,
  ];
}
