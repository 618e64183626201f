import type { MemberQuestion, StateMember } from './state-store.ts';

/** The first members of several sorted sets together that a question asks for, in its order. */
export function firstOf(
  members: readonly StateMember[], { order, after, max }: MemberQuestion,
): readonly StateMember[] {
  const compare = order === 'rising' ? rising : falling;
  return members.filter((member) => after === undefined || compare(member, after) > 0)
    .sort(compare).slice(0, max);
}

function rising(one: StateMember, other: StateMember): number {
  if (one.score !== other.score) return one.score - other.score;
  if (one.member === other.member) return 0;
  return one.member < other.member ? -1 : 1;
}

function falling(one: StateMember, other: StateMember): number {
  return rising(other, one);
}
