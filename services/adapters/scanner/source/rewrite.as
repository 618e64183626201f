// The body as the exact path would write it again: without white space, superfluous zeros and
// members that are null. Most
// bodies need no rewriting, so nothing is copied before the first gap.
import { BODY, REWRITTEN } from './layout';

/** The first byte that is not copied yet. */
let kept: usize = 0;
let out: usize = 0;

/** Begins with a body of which everything is kept. */
export function beginRewriting(): void {
  kept = BODY;
  out = REWRITTEN;
}

/** Leaves out what stands from one place up to another. */
export function leaveOut(from: usize, to: usize): void {
  const length = from - kept;
  // 16 bytes at a time: what is written too much is overwritten by the next piece.
  for (let i: usize = 0; i < length; i += 16) v128.store(out + i, v128.load(kept + i));
  out += length;
  kept = to;
}

/**
 * The same where white space between the two may be left out already; nothing else may be. Names
 * and marks hold none, so all other bytes of them were copied and are taken back.
 */
export function cutOut(from: usize, to: usize): void {
  if (kept <= from) {
    leaveOut(from, to);
    return;
  }
  for (let at = from; at < kept; at += 1) if (!isSpace(load<u8>(at))) out -= 1;
  kept = to;
}

/** Length of the rewritten body in bytes; 0 when the body is to be taken as it was sent. */
export function endRewriting(end: usize): i32 {
  if (out == REWRITTEN && kept == BODY) return 0;
  leaveOut(end, end);
  return i32(out - REWRITTEN);
}

/** Goes over the four kinds of white space that JSON knows, and leaves them out. */
@inline
export function skipSpace(at: usize): usize {
  return load<u8>(at) > 0x20 ? at : leaveOutSpace(at);
}

function leaveOutSpace(from: usize): usize {
  let at = from;
  while (isSpace(load<u8>(at))) at += 1;
  if (at != from) leaveOut(from, at);
  return at;
}

@inline
function isSpace(byte: u8): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09;
}
