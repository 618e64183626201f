const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PLAIN = 0x20;
/** Below it, looking at each byte takes no longer. */
const BY_BYTES_MAX = 64;
const WORD_BYTES = 4;

// The lowest and the highest bit of each byte of a word, and what is looked for in each of them.
const LOW = 0x01010101;
const HIGH = 0x80808080 | 0;
const SPACES = 0x20202020;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;

/**
 * The first place from `at` on, and at most a word behind `until`, at which a text does not simply
 * go on: its end, an escape, or what is not allowed in it. Four bytes at a time in longer texts.
 */
export function plainUntil(bytes: Buffer, from: number, until: number): number {
  const end = Math.min(until, bytes.length);
  const near = Math.min(end, from + BY_BYTES_MAX);
  let at = plainByBytes(bytes, from, near);
  if (at < near || at === end) return at;
  const { buffer, byteOffset } = bytes;
  const aligned = at + (WORD_BYTES - ((byteOffset + at) % WORD_BYTES)) % WORD_BYTES;
  at = plainByBytes(bytes, at, Math.min(aligned, end));
  if (at < aligned) return at;
  const count = Math.max(0, Math.floor((end - at) / WORD_BYTES));
  const words = new Int32Array(buffer, byteOffset + at, count);
  return plainByBytes(bytes, at + plainWords(words) * WORD_BYTES, end);
}

function plainByBytes(bytes: Buffer, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const next = bytes[at] as number;
    if (next < FIRST_PLAIN || next === QUOTE || next === BACKSLASH) break;
    at += 1;
  }
  return at;
}

/** How many words there are before the first with such a byte (Hacker's Delight, 6-1). */
function plainWords(words: Int32Array): number {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] as number;
    const quotes = word ^ QUOTES;
    const backslashes = word ^ BACKSLASHES;
    const found = ((word - SPACES) & ~word) | ((quotes - LOW) & ~quotes)
      | ((backslashes - LOW) & ~backslashes);
    if ((found & HIGH) !== 0) break;
  }
  return at;
}
