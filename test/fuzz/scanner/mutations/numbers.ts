import type { Dice } from '../../../faults/dice.ts';
import type { Mutation } from '../edits.ts';
import { anyOf, place, put } from '../edits.ts';

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '-', 'e', 'E', '+'];

const REMARKABLE = [
  '0', '-0', '0.0', '-0.0', '1.0', '1.50', '01', '-01', '00', '.5', '5.', '-', '+1', '--1', '1.', '1.e1',
  '1e3', '1E3', '1e+3', '1e-3', '1e', '1e400', '-1e400', '5e-324', 'NaN', 'Infinity', '-Infinity',
  '0x10', '1_000', '"12"', '1 2', '0.1', '0.000001', '0.0000010', '0.0000001', '0.00000099999999999999',
  '1764000000', '1764000000.0', '1764000000.5', '1764000000000', '946684799', '4102444801',
  '253402300799', '253402300800', '253402300799.0', '253402300799.00001', '253402300799.00004',
  '90', '-90', '90.0', '90.000000000000001', '90.00000000000001', '-90.00000000000001', '89.99999999999999',
  '90.0000001', '180', '-180', '180.00000000000003', '179.99999999999997', '-180.0000000000001', '181',
  '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740991',
  '-9007199254740992', '9007199254740991.5', '90071992547409910', '999999999999999',
  '1000000000000000', '999999999999999.9', '99999999999999.99', '123456789012345678', '1e15',
  '0.30000000000000004', '0.3000000000000001', '0.30000000000000001', '0.1000000000000000055',
  '53.199999999999996', '53.1999999999999957', '53.2000000000000', '100000000000000000000000',
  '0.00000000000000000000000000', '0.000000000000000000000000001', '2.2250738585072014e-308',
  '12345678901234.5', '12345678901234.50', '123456789012345.0', '1234567890123456.0',
];

/** Numbers at every limit of the schema and of floats, and spellings that mean the same. */
export const NUMBER_MUTATIONS: readonly Mutation[] = [
  (dice, body) => replaceNumber(dice, body, () => dice.pick(REMARKABLE)),
  (dice, body) => replaceNumber(dice, body, () => randomDigits(dice)),
  (dice, body) => replaceNumber(dice, body, () => String(randomFloat(dice))),
  (dice, body) => replaceNumber(dice, body, () => nearFloat(dice)),
  (dice, body) => replaceNumber(dice, body, (old) => respelled(dice, old)),
  function changeDigit(dice, { bytes, tokens }) {
    const token = anyOf(dice, tokens.filter(({ kind }) => kind === 'number'));
    if (token === undefined) return [];
    const at = dice.between(token.start, token.end - 1);
    const digit = Buffer.from(dice.pick(DIGITS));
    const isPut = dice.chance(0.5) && bytes.length > 0;
    return [put(isPut ? { start: at, end: at + 1 } : place(at), digit)];
  },
];

function replaceNumber(
  dice: Dice, { bytes, tokens }: Parameters<Mutation>[1], make: (old: string) => string,
): ReturnType<Mutation> {
  const token = anyOf(dice, tokens.filter(({ kind }) => kind === 'number'));
  if (token === undefined) return [];
  return [put(token, make(bytes.toString('latin1', token.start, token.end)))];
}

/** Digits without any sense, with or without a point. */
function randomDigits(dice: Dice): string {
  const count = dice.between(1, dice.chance(0.5) ? 18 : 26);
  const digits = Array.from({ length: count }, () => dice.between(0, 9)).join('');
  const point = dice.between(0, count);
  const spelled = dice.chance(0.7) ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
  return (dice.chance(0.3) ? '-' : '') + spelled;
}

/** A float of any size between a billionth and a billion, or about a coordinate. */
function randomFloat(dice: Dice): number {
  const sign = dice.chance(0.5) ? 1 : -1;
  if (dice.chance(0.5)) return sign * dice.next() * 180;
  return sign * dice.next() * 10 ** dice.between(-9, 17);
}

/** The shortest digits of a float, one digit more or less, or its last digit changed. */
function nearFloat(dice: Dice): string {
  const float = randomFloat(dice);
  if (dice.chance(0.4)) return float.toPrecision(dice.between(14, 18));
  if (dice.chance(0.5)) return float.toFixed(dice.between(0, 18));
  return `${String(float).slice(0, -1)}${dice.between(0, 9)}`;
}

/** The same number in other words. */
function respelled(dice: Dice, old: string): string {
  const zeros = '0'.repeat(dice.between(1, 6));
  if (old.includes('.')) return old + zeros;
  return dice.pick([`${old}.${zeros}`, `${old}e0`, `0${old}`, `${old}E+00`, `${old}.`, `-${old}`]);
}
