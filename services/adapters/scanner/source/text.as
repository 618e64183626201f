// Strings: valid UTF-8 without any escape. An escape may be written in several ways, so a body with
// one takes the exact path.

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

/** Characters (code points) of the text that was gone over last. */
export let characters: i32 = 0;

/** From behind the opening quote to behind the closing one; 0 when the text is not taken. */
@inline
export function skipText(from: usize): usize {
  const end = skipPlainText(from);
  if (load<u8>(end) != QUOTE) return skipAnyText(from, end);
  characters = i32(end - from);
  return end + 1;
}

/** Goes over ASCII, 16 bytes at a time, up to the first byte that may not stand in a text. */
@inline
function skipPlainText(from: usize): usize {
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    // Bytes beyond ASCII are negative, so they are found with the control characters.
    const found = v128.bitmask<i8>(v128.or(
      v128.lt<i8>(bytes, v128.splat<i8>(0x20)),
      v128.or(
        v128.eq<i8>(bytes, v128.splat<i8>(QUOTE)), v128.eq<i8>(bytes, v128.splat<i8>(BACKSLASH)),
      ),
    ));
    if (found != 0) return at + usize(ctz(found));
    at += 16;
  }
}

/** Goes on with a text whose characters may take several bytes. */
function skipAnyText(from: usize, reached: usize): usize {
  let at = reached;
  let tails: usize = 0;
  while (true) {
    const byte = load<u8>(at);
    if (byte < 0x80) {
      if (byte == QUOTE) {
        characters = i32(at - from - tails);
        return at + 1;
      }
      if (byte < 0x20 || byte == BACKSLASH) return 0;
      at += 1;
    } else {
      const length = sequenceLength(at, byte);
      if (length == 0) return 0;
      at += length;
      tails += length - 1;
    }
  }
}

/** Bytes of one character beyond ASCII; 0 when it is cut, too long, a surrogate or none at all. */
function sequenceLength(at: usize, lead: u8): usize {
  const second = load<u8>(at, 1);
  if (lead < 0xe0) return lead >= 0xc2 && isTail(second) ? 2 : 0;
  if (!isTail(second) || !isTail(load<u8>(at, 2))) return 0;
  if (lead < 0xf0) {
    const tooLong = lead == 0xe0 && second < 0xa0;
    const surrogate = lead == 0xed && second > 0x9f;
    return tooLong || surrogate ? 0 : 3;
  }
  if (lead > 0xf4 || !isTail(load<u8>(at, 3))) return 0;
  const tooLong = lead == 0xf0 && second < 0x90;
  const beyond = lead == 0xf4 && second > 0x8f;
  return tooLong || beyond ? 0 : 4;
}

@inline
function isTail(byte: u8): bool {
  return (byte & 0xc0) == 0x80;
}
