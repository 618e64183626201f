// Plain numbers, which are nearly all: 16 bytes are looked at together. Whatever is not certain
// from that is left to the way that goes digit by digit (number.as), which alone refuses.
import { INTEGER } from './layout';

const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;

export const POWERS_OF_TEN = memory.data<f64>([
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]);

/**
 * Behind the number that begins here, when it has at most 15 bytes, no zero that could be left out,
 * and no zero right behind the point of one below 1; 0 when it is for the other way. These are
 * branches, and not choices of a value, so that what follows need not wait for the judgement.
 */
@inline
export function skipPlain(from: usize, node: usize): usize {
  const isNegative = load<u8>(from) == MINUS;
  const sign = i32(isNegative);
  const bytes = v128.load(from);
  // Digits become the least of the signed bytes, so that one comparison separates them from all
  // others.
  const others = ~sign & v128.bitmask<i8>(v128.gt<i8>(
    v128.add<i8>(bytes, v128.splat<i8>(0x50)), v128.splat<i8>(-119),
  ));
  const points = v128.bitmask<i8>(v128.eq<i8>(bytes, v128.splat<i8>(POINT)));
  const end = ctz((others & ~points) | 0x10000);
  const point = points & ((1 << end) - 1);
  const to = from + usize(end);
  if (end == 16 || (others >> sign & 1) != 0) return 0;
  if (point != 0) {
    if ((point & (point - 1)) != 0 || load<i32>(node) == INTEGER) return 0;
    if (load<u8>(to - 1) <= ZERO) return 0;
  }
  const first = from + usize(sign);
  if (load<u8>(first) == ZERO) {
    if (point == 0 ? end != 1 : point >> sign != 2 || load<u8>(first, 2) == ZERO) return 0;
  }
  if (load<i32>(node, 4) != 0 && !isWithin(bytes, end, point, isNegative, node)) return 0;
  return to;
}

/** Whether the number of so many first bytes, with a bit for its point, lies between its limits. */
@inline
function isWithin(bytes: v128, end: i32, point: i32, isNegative: bool, node: usize): bool {
  const place = point == 0 ? -1 : ctz(point);
  const scale = point == 0 ? 0 : end - 1 - place;
  const size = f64(digitsOf(bytes, end, place)) / load<f64>(POWERS_OF_TEN + (usize(scale) << 3));
  const value = isNegative ? -size : size;
  return value >= load<f64>(node, 8) && value <= load<f64>(node, 16);
}

/** The digits of so many bytes as one number, without sign and the point at a place (or -1). */
@inline
function digitsOf(bytes: v128, end: i32, place: i32): u64 {
  // All go to the end of the 16, those before the point by one more; all else becomes zero.
  const to = v128.add<i8>(
    i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), v128.splat<i8>(i8(end - 16)),
  );
  const shift = v128.le<i8>(to, v128.splat<i8>(i8(place)));
  const digits = v128.swizzle(
    v128.sub_sat<u8>(bytes, v128.splat<u8>(ZERO)), v128.add<i8>(to, shift),
  );
  const pairs = v128.add<i16>(
    v128.mul<i16>(v128.and(digits, v128.splat<i16>(0xff)), v128.splat<i16>(10)),
    v128.shr<u16>(digits, 8),
  );
  const fours = v128.dot<i16>(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1));
  const eights = v128.dot<i16>(
    v128.narrow<i32>(fours, fours), i16x8(10000, 1, 10000, 1, 10000, 1, 10000, 1),
  );
  return u64(v128.extract_lane<u32>(eights, 0)) * 100000000
    + u64(v128.extract_lane<u32>(eights, 1));
}
