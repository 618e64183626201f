import { parseExact, withoutNulls } from '../../../kernel/exact-json.ts';
import { countMembers } from '../../../kernel/json-duplicates.ts';
import { parseLongs } from '../../../kernel/longs.ts';
import type { Cursor } from './cursor.ts';

/** A value, and the same with every number as it was written. */
export interface Twofold {
  readonly value: unknown;
  readonly written: unknown;
}

/** Bytes from one place to another, with a mark before and behind them. */
export type Run = readonly [opened: string, from: number, to: number, closed: string];

/**
 * Parses a run that was scanned, and counts its members. Members that are null are left out, but
 * of the outermost object only when it has no mark of its own: it may be continued.
 */
export function parseRun(
  build: { members: number; readonly keepsWritten: boolean }, cursor: Cursor, run: Run,
): Twofold {
  const [opened, from, to, closed] = run;
  const text = `${opened}${cursor.bytes.toString('utf8', from, to)}${closed}`;
  const parsed: unknown = cursor.hasLong ? parseLongs(text) : JSON.parse(text);
  build.members += countMembers(parsed);
  const clean = !text.includes('null') ? (each: unknown) => each
    : opened === '' ? withoutNulls : withoutNullsBelow;
  const value = clean(parsed);
  const hasOwn = build.keepsWritten && (cursor.hasWritten || cursor.hasLong);
  return { value, written: hasOwn ? clean(parseExact(text)) : value };
}

function withoutNullsBelow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return Object.fromEntries(Object.entries(value as object)
    .map(([name, member]) => [name, withoutNulls(member)]));
}
