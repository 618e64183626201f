/** Times between which a fix may become a last position, in epoch seconds, both included. */
export interface TimeWindow {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

const TIME = '{"timestamp":';
const LATER_TIME = ',"timestamp":';
const COMMA = 0x2c;
const COLON = 0x3a;
const DIGIT_ZERO = 0x30;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const QUOTE = 0x22;
const DIGITS_MAX = 15;

/**
 * Cuts the newest fix of the window out of a post, as JSON, without parsing the rest; of two at one
 * second the later. Undefined whenever the post is not plainly as most senders write them, or
 * has no such fix: who parses all of it then is never wrong, only slower.
 *
 * Without a backslash no text holds a quote, so that `"timestamp":` is always a key, here always
 * the first of its object. In a list that object is taken for a fix, behind a colon for telemetry.
 * Each fix has one: with as many as the gateway counted, all were seen, and nothing but fixes. What
 * is cut begins with a brace, so if it is JSON, it is that object and no other.
 */
export function cutNewestFix(
  value: Buffer, items: number, { fromSeconds, toSeconds }: TimeWindow,
): Buffer | undefined {
  // A character for each byte, so that places in the text are places in the value.
  const text = value.toString('latin1');
  if (text.includes('\\') || text.includes(LATER_TIME)) return undefined;
  let fixes = 0;
  let start = -1;
  let newest = fromSeconds;
  for (let at = text.indexOf(TIME); at >= 0; at = text.indexOf(TIME, at + TIME.length)) {
    const before = text.charCodeAt(at - 1);
    if (before === COLON) continue;
    if (before !== COMMA && before !== OPENING_BRACKET) return undefined;
    const seconds = secondsAt(text, at + TIME.length);
    if (seconds === undefined) return undefined;
    fixes += 1;
    if (seconds < newest || seconds > toSeconds) continue;
    newest = seconds;
    start = at;
  }
  if (fixes !== items || start < 0) return undefined;
  return value.subarray(start, endOfObject(text, start));
}

/** The whole number that stands here before a comma; undefined for anything else. */
function secondsAt(text: string, from: number): number | undefined {
  let seconds = 0;
  for (let at = from; at < from + DIGITS_MAX; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA && at > from) return seconds;
    if (code < DIGIT_ZERO || code > DIGIT_ZERO + 9) return undefined;
    seconds = seconds * 10 + code - DIGIT_ZERO;
  }
  return undefined;
}

/** Behind the brace that closes the one that stands here. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = text.indexOf('"', at + 1);
    if (at < 0) break;
    if (code === OPENING_BRACE) depth += 1;
    if (code === CLOSING_BRACE) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}
