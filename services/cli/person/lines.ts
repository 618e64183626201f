import { isWrittenNumber } from '../../kernel/exact-json.ts';
import { at, line, type PrintedLine } from '../print/lines.ts';
import { membersOf } from '../print/members.ts';
import type { PersonalRecordShown } from './records.ts';

/** Records for people: what and where each is, then its members, one a line, named by their way. */
export function recordLines(records: readonly PersonalRecordShown[]): readonly PrintedLine[] {
  return records.flatMap(({ topic, partition, offset, logged_at_ms, fact }) => {
    const { type, ...members } = fact as { readonly type: string };
    return [
      '', line`${type}, ${at(logged_at_ms)}, ${topic}:${partition}:${offset}`,
      ...membersOf(Object.fromEntries(leavesOf(members))).map(({ parts }) => (
        { parts: ['  ', ...parts] }
      )),
    ];
  });
}

/** The members that have no members themselves, such as `data.receiver.name`. */
function leavesOf(value: object): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(value).flatMap(([name, each]) => (
    isParent(each)
      ? leavesOf(each).map(([below, leaf]) => [`${name}.${below}`, leaf] as const)
      : [[name, each] as const]
  ));
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isWrittenNumber(value)
    && Object.keys(value).length > 0;
}
