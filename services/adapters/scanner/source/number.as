// Numbers: only those that the exact path would write just so, or with fewer zeros at the end. A
// decimal of at most 15 digits is distinct from all others as a float, so it comes back as it went
// in; of longer ones the other side is asked. Exponents, -0 and very small ones are not taken.
// Plain ones went the quicker way (plain-number.as).
import { BODY, INTEGER, QUESTIONS, QUESTIONS_MAX } from './layout';
import { POWERS_OF_TEN } from './plain-number';
import { leaveOut } from './rewrite';

const MINUS: u8 = 0x2d;
const POINT: u8 = 0x2e;
const ZERO: u8 = 0x30;

const DIGITS_KEPT_MAX: i32 = 15;
const DIGITS_MAX: i32 = 17;

/** From here on down numbers are written with an exponent: 0.000001 has five zeros in front. */
const LEADING_ZEROS_MAX: i32 = 5;

/** What a value made of the first digits of a longer number may be off by, as a ratio of it. */
const SLACK: f64 = 1e-12;

/** Number of questions about this body. */
export let questions: i32 = 0;

export function forgetQuestions(): void {
  questions = 0;
}

/** Behind the number of any form that begins here, as its node says; 0 when it is not taken. */
export function skipNumber(from: usize, node: usize): usize {
  const isWhole = load<i32>(node) == INTEGER;
  const least = load<f64>(node, 8);
  const most = load<f64>(node, 16);
  const isNegative = load<u8>(from) == MINUS;
  let at = isNegative ? from + 1 : from;
  const first = at;
  let digit: u8 = load<u8>(at) - ZERO;
  if (digit > 9) return 0;
  let digits: u64 = 0;
  let significant: i32 = 0;
  if (digit == 0) {
    at += 1;
    digit = load<u8>(at) - ZERO;
    if (digit <= 9) return 0;
  } else {
    while (digit <= 9) {
      digits = digits * 10 + digit;
      at += 1;
      digit = load<u8>(at) - ZERO;
    }
    significant = i32(at - first);
  }
  const point = at;
  let scale: i32 = 0;
  let zeros: i32 = 0;
  if (load<u8>(at) == POINT) {
    if (isWhole) return 0;
    at += 1;
    digit = load<u8>(at) - ZERO;
    if (digit > 9) return 0;
    while (digit <= 9) {
      digits = digits * 10 + digit;
      if (digits != 0) significant += 1;
      zeros = digit == 0 ? zeros + 1 : 0;
      at += 1;
      digit = load<u8>(at) - ZERO;
    }
    scale = i32(at - point) - 1;
  }
  if (significant > DIGITS_MAX || scale - significant > LEADING_ZEROS_MAX && digits != 0) return 0;
  if (digits == 0 && isNegative) return 0;
  const size = digits == 0 ? 0 : f64(digits) / load<f64>(POWERS_OF_TEN + (usize(scale) << 3));
  const value = isNegative ? -size : size;
  if (significant > DIGITS_KEPT_MAX) {
    const slack = size * SLACK;
    if (zeros > 0 || !(value - slack > least) || !(value + slack < most)) return 0;
    return ask(from, at) ? at : 0;
  }
  if (!(value >= least) || !(value <= most)) return 0;
  if (zeros > 0) leaveOut(zeros == scale ? point : at - zeros, at);
  return at;
}

function ask(from: usize, to: usize): bool {
  if (questions == QUESTIONS_MAX) return false;
  const place = QUESTIONS + (usize(questions) << 3);
  store<u32>(place, u32(from - BODY));
  store<u32>(place, u32(to - BODY), 4);
  questions += 1;
  return true;
}
