// Goes once over a body and takes it only if the exact path would take it and write it as it is
// written here. Whatever is unusual is refused, which costs time but is never wrong. The shape of
// the body is in tables (layout.as) that are made from its JSON schema.
import {
  BODY, BOOLEAN, ALPHABETIC, LIST, MEMBER_BYTES, MEMBER_MASK, MEMBER_NAME, NUMBER, OBJECT, RESULTS,
  TABLES, TEXT, ZEROS_BYTES,
} from './layout';
import { forgetQuestions, questions, skipNumber } from './number';
import { skipPlain } from './plain-number';
import { beginRewriting, cutOut, endRewriting, leaveOut, skipSpace } from './rewrite';
import { characters, skipText } from './text';

export {
  BODY, BODY_BYTES_MAX, BOOLEAN, INTEGER, ALPHABETIC, LIST, MEMBER_BYTES, MEMBER_MASK, MEMBER_NAME,
  MEMBER_NAME_BYTES_MAX, NODE_BYTES, NUMBER, OBJECT, QUESTIONS, RESULTS, REWRITTEN, TABLES,
  TABLES_BYTES_MAX, TEXT,
} from './layout';

const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const COLON: u8 = 0x3a;
const OPEN_LIST: u8 = 0x5b;
const CLOSE_LIST: u8 = 0x5d;
const OPEN_OBJECT: u8 = 0x7b;
const CLOSE_OBJECT: u8 = 0x7d;
const TRUE: u32 = 0x65757274;
const FALS: u32 = 0x736c6166;
const NULL: u32 = 0x6c6c756e;

// Places among the results.
const TEXT_START: usize = 0;
const TEXT_END: usize = 4;
const ITEMS: usize = 8;
const ASKED: usize = 12;

/**
 * Scans the body of so many bytes: -1 when it is refused, 0 when it is taken as it was sent, else
 * the length of its rewritten form. The results are: start and end of the reported text in the
 * body, items of the reported list, and the number of questions, which must all be answered with
 * yes.
 */
export function scan(length: i32): i32 {
  const end = BODY + length;
  memory.fill(end, 0, ZEROS_BYTES);
  beginRewriting();
  forgetQuestions();
  let at = skipValue(skipSpace(BODY), TABLES);
  if (at == 0) return -1;
  at = skipSpace(at);
  if (at != end) return -1;
  store<i32>(RESULTS, questions, ASKED);
  return endRewriting(end);
}

/** Behind the value that begins here and is as its node says; 0 when it is not taken. */
function skipValue(at: usize, node: usize): usize {
  const kind = load<i32>(node);
  if (kind <= NUMBER) return skipNumber(at, node);
  if (kind == TEXT) return skipString(at, node);
  if (kind == ALPHABETIC) return skipAlphabetic(at, load<u32>(node, 4), load<u32>(node, 8));
  if (kind == BOOLEAN) return skipBoolean(at);
  if (kind == LIST) return skipList(at, node);
  return kind == OBJECT ? skipObject(at, node) : 0;
}

function skipBoolean(at: usize): usize {
  const letters = load<u32>(at);
  if (letters == TRUE) return at + 4;
  return letters == FALS && load<u8>(at, 4) == 0x65 ? at + 5 : 0;
}

function skipAlphabetic(from: usize, least: usize, most: usize): usize {
  if (load<u8>(from) != QUOTE) return 0;
  const begin = from + 1;
  let at = begin;
  while (at < begin + most) {
    // Upper and lower case differ in this bit alone; no byte but A to Z and a to z gets there by it.
    const byte = load<u8>(at) | 0x20;
    if (byte < 0x61 || byte > 0x7a) break;
    at += 1;
  }
  return at >= begin + least && load<u8>(at) == QUOTE ? at + 1 : 0;
}

function skipString(from: usize, node: usize): usize {
  if (load<u8>(from) != QUOTE) return 0;
  const at = skipText(from + 1);
  if (at == 0) return 0;
  if (characters < load<i32>(node, 4) || characters > load<i32>(node, 8)) return 0;
  if (load<i32>(node, 12) != 0) {
    const text = from + 1;
    // The other side reads it byte by byte, so it must be plain ASCII.
    if (i32(at - 1 - text) != characters) return 0;
    store<i32>(RESULTS, i32(text - BODY), TEXT_START);
    store<i32>(RESULTS, i32(at - 1 - BODY), TEXT_END);
  }
  return at;
}

function skipList(from: usize, node: usize): usize {
  if (load<u8>(from) != OPEN_LIST) return 0;
  const item = load<usize>(node, 4);
  const itemsMax = load<i32>(node, 12);
  let items: i32 = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) == CLOSE_LIST) {
    at += 1;
  } else {
    while (true) {
      if (items == itemsMax) return 0;
      items += 1;
      at = skipValue(at, item);
      if (at == 0) return 0;
      at = skipSpace(at);
      const mark = load<u8>(at);
      at += 1;
      if (mark == CLOSE_LIST) break;
      if (mark != COMMA) return 0;
      at = skipSpace(at);
    }
  }
  if (items < load<i32>(node, 8)) return 0;
  if (load<i32>(node, 16) != 0) store<i32>(RESULTS, items, ITEMS);
  return at;
}

function skipObject(from: usize, node: usize): usize {
  if (load<u8>(from) != OPEN_OBJECT) return 0;
  const wanted = load<u32>(node, 4);
  let seen: u32 = 0;
  // Where two guesses of the next member stand: in the object first, then in the member before it.
  let guess = node + 16;
  // The comma before this member, when there is a member before it that is kept.
  let comma: usize = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) == CLOSE_OBJECT) return wanted == 0 ? at + 1 : 0;
  while (true) {
    const name = at;
    let member = load<usize>(guess);
    if (isNamed(at, member)) {
      at += load<usize>(member, 8);
    } else {
      member = memberNamed(at, node, guess);
      if (member == 0) return 0;
      at = skipSpace(at + load<usize>(member, 8) - 1);
      if (load<u8>(at) != COLON) return 0;
      at += 1;
    }
    guess = member + 12;
    const bit = load<u32>(member, 4);
    if ((seen & bit) != 0) return 0;
    seen |= bit;
    at = skipSpace(at);
    const value = load<usize>(member);
    const begin = at;
    const end = load<i32>(value) <= NUMBER ? skipPlain(begin, value) : 0;
    at = end != 0 ? end : skipValue(begin, value);
    if (at == 0) {
      // Null of a member that may be missing is as good as its absence.
      if (load<u32>(begin) != NULL || (wanted & bit) != 0) return 0;
      at = begin + 4;
      cutOut(comma != 0 ? comma : name, at);
      if (comma == 0) {
        at = skipSpace(at);
        const mark = load<u8>(at);
        if (mark == CLOSE_OBJECT) return behindObject(at, seen, wanted);
        if (mark != COMMA) return 0;
        leaveOut(at, at + 1);
        at = skipSpace(at + 1);
        continue;
      }
    }
    if (load<u8>(at) != COMMA) {
      at = skipSpace(at);
      const mark = load<u8>(at);
      if (mark == CLOSE_OBJECT) return behindObject(at, seen, wanted);
      if (mark != COMMA) return 0;
    }
    comma = at;
    at = skipSpace(at + 1);
  }
}

/** Behind the mark that ends an object; 0 when something that must be there is missing. */
@inline
function behindObject(at: usize, seen: u32, wanted: u32): usize {
  return (seen & wanted) == wanted ? at + 1 : 0;
}

/** The member whose name stands here in quotes; 0 when there is none. Two orders are learnt. */
function memberNamed(at: usize, node: usize, guess: usize): usize {
  const other = load<usize>(guess, 4);
  if (isNamed(at, other)) return other;
  const end = load<usize>(node, 12);
  for (let member = load<usize>(node, 8); member < end; member += MEMBER_BYTES) {
    if (memory.compare(at, member + MEMBER_NAME, load<usize>(member, 8) - 1) == 0) {
      store<usize>(guess, load<usize>(guess), 4);
      store<usize>(guess, member);
      return member;
    }
  }
  return 0;
}

/** Whether the name of a member stands here in quotes, and a colon behind it. */
@inline
function isNamed(at: usize, member: usize): bool {
  const one = v128.xor(v128.load(at), v128.load(member, MEMBER_NAME));
  const other = v128.xor(v128.load(at, 16), v128.load(member, MEMBER_NAME + 16));
  return !v128.any_true(v128.or(
    v128.and(one, v128.load(member, MEMBER_MASK)),
    v128.and(other, v128.load(member, MEMBER_MASK + 16)),
  ));
}
