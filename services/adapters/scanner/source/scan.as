// Goes once over a body and takes it only if the exact path would take it and write it as it is
// written here. Whatever is unusual is refused, which costs time but is never wrong. The shape of the
// body lies in tables (layout.as) that are made from its JSON schema.
import {
  BODY, BOOLEAN, CAPITALS, INTEGER, LIST, MEMBER_BYTES, MEMBER_NAME, NUMBER, OBJECT, RESULTS, TABLES,
  TEXT, ZEROS_BYTES,
} from './layout';
import { forgetQuestions, questions, skipNumber } from './number';
import { beginRewriting, endRewriting, skipSpace } from './rewrite';
import { characters, skipText } from './text';

export {
  BODY, BODY_BYTES_MAX, BOOLEAN, CAPITALS, INTEGER, LIST, MEMBER_BYTES, MEMBER_NAME, NODE_BYTES,
  NUMBER, OBJECT, QUESTIONS, RESULTS, REWRITTEN, TABLES, TABLES_BYTES_MAX, TEXT,
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

// Places among the results.
const TEXT_START: usize = 0;
const TEXT_END: usize = 4;
const ITEMS: usize = 8;
const ASKED: usize = 12;

/**
 * Scans the body of so many bytes: -1 when it is refused, 0 when it is taken as it was sent, else the
 * length of its rewritten form. The results are: start and end of the reported text in the body,
 * items of the reported list, and the number of questions, which must all be answered with yes.
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
  if (kind <= NUMBER) {
    return skipNumber(at, load<f64>(node, 8), load<f64>(node, 16), kind == INTEGER);
  }
  if (kind == TEXT) return skipString(at, node);
  if (kind == CAPITALS) return skipCapitals(at, load<i32>(node, 4));
  if (kind == BOOLEAN) return skipBoolean(at);
  if (kind == LIST) return skipList(at, node);
  return kind == OBJECT ? skipObject(at, node) : 0;
}

function skipBoolean(at: usize): usize {
  const letters = load<u32>(at);
  if (letters == TRUE) return at + 4;
  return letters == FALS && load<u8>(at, 4) == 0x65 ? at + 5 : 0;
}

function skipCapitals(from: usize, count: i32): usize {
  if (load<u8>(from) != QUOTE) return 0;
  let at = from + 1;
  for (let i = 0; i < count; i += 1) {
    const letter = load<u8>(at);
    if (letter < 0x41 || letter > 0x5a) return 0;
    at += 1;
  }
  return load<u8>(at) == QUOTE ? at + 1 : 0;
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
  // Where the guess of the next member stands: in the object first, then in the member before it.
  let guess = node + 16;
  let at = skipSpace(from + 1);
  if (load<u8>(at) == CLOSE_OBJECT) return wanted == 0 ? at + 1 : 0;
  while (true) {
    if (load<u8>(at) != QUOTE) return 0;
    const member = memberNamed(at + 1, node, guess);
    if (member == 0) return 0;
    guess = member + 12;
    const bit = load<u32>(member, 4);
    if ((seen & bit) != 0) return 0;
    seen |= bit;
    at = skipSpace(at + 1 + load<usize>(member, 8));
    if (load<u8>(at) != COLON) return 0;
    at = skipValue(skipSpace(at + 1), load<usize>(member));
    if (at == 0) return 0;
    at = skipSpace(at);
    const mark = load<u8>(at);
    at += 1;
    if (mark == CLOSE_OBJECT) return (seen & wanted) == wanted ? at : 0;
    if (mark != COMMA) return 0;
    at = skipSpace(at);
  }
}

/** The member whose name stands here; 0 when there is none. Senders keep an order, so it is learnt. */
function memberNamed(name: usize, node: usize, guess: usize): usize {
  const guessed = load<usize>(guess);
  if (isNamed(name, guessed)) return guessed;
  const end = load<usize>(node, 12);
  for (let member = load<usize>(node, 8); member < end; member += MEMBER_BYTES) {
    if (isNamed(name, member)) {
      store<usize>(guess, member);
      return member;
    }
  }
  return 0;
}

function isNamed(name: usize, member: usize): bool {
  const length = load<usize>(member, 8);
  let i: usize = 0;
  for (; i + 8 <= length; i += 8) {
    if (load<u64>(name + i) != load<u64>(member + i, MEMBER_NAME)) return false;
  }
  const rest = u64(length - i) << 3;
  if (rest == 0) return true;
  return (load<u64>(name + i) ^ load<u64>(member + i, MEMBER_NAME)) << (64 - rest) == 0;
}
