import type { Dice } from '../../faults/dice.ts';
import type { IndexedBody, Span } from './index-body.ts';

/** Bytes that take the place of a part of a body; an empty part is a place to insert at. */
export interface Edit extends Span {
  readonly bytes: Buffer;
}

/** Breaks a good body, or changes it into another good one. No edit: it has nothing to change. */
export type Mutation = (dice: Dice, body: IndexedBody) => readonly Edit[];

/** An edit that puts a text, each character a byte or (`utf8`) as it is written. */
export function put({ start, end }: Span, text: string | Buffer): Edit {
  return { start, end, bytes: typeof text === 'string' ? Buffer.from(text) : text };
}

/** The place before a byte. */
export function place(at: number): Span {
  return { start: at, end: at };
}

/** Any of the values; undefined when there is none. */
export function anyOf<Value>(dice: Dice, values: readonly Value[]): Value | undefined {
  return values.length === 0 ? undefined : dice.pick(values);
}

/** Applies edits from left to right; one that begins inside another is left out. */
export function applyEdits(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) continue;
    parts.push(bytes.subarray(at, edit.start), edit.bytes);
    at = edit.end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}
