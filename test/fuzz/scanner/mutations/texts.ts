import type { Dice } from '../../../faults/dice.ts';
import type { Mutation } from '../edits.ts';
import { anyOf, place, put } from '../edits.ts';

const LENGTHS = [0, 1, 2, 254, 255, 256, 2_047, 2_048, 2_049];
const CHARACTERS = [
  'a', 'é', 'ÿ', 'ࠀ', '日', '\uffff', '🚚', '\u{10ffff}', '\u2028', '\u007f', '\u0080',
];
const ESCAPES = [
  '\\n', '\\"', '\\\\', '\\/', '\\u0041', '\\u00e9', '\\ud83d\\ude9a', '\\ud800', '\\udc00', '\\u00',
  '\\x41', '\\', '\\u0000', '\\b', '\\U0041', '\\u00G0',
];
// Good and bad characters side by side: the first and last of each length, and those in between.
const RAW = [
  'c080', 'c1bf', 'c280', 'dfbf', 'e08080', 'e09fbf', 'e0a080', 'ed9fbf', 'eda080', 'edbfbf',
  'ee8080', 'efbfbf', 'efbbbf', 'f0808080', 'f08fbfbf', 'f0908080', 'f48fbfbf', 'f4908080',
  'f5808080', 'f888808080', 'c3', 'e282', 'f09f9a', '80', 'bf', 'fe', 'ff', '00', '01', '09', '0a',
  '1f', '20', '22', '7f', 'c328', 'e228a1',
];
const WHOLE = ['BR', 'ZZ', 'br', 'B', 'BRA', 'bRa', 'BRAZ', 'B[', 'B@', 'B`', 'B{', 'ÄÖ', 'B\u0000', ' ', 'device_id', 'm', '__proto__', '1'];

/** Texts at the limits of their length, escapes, and UTF-8 of every kind, good and bad. */
export const TEXT_MUTATIONS: readonly Mutation[] = [
  (dice, body) => {
    const text = dice.pick(CHARACTERS).repeat(dice.pick(LENGTHS));
    return replaceText(dice, body, Buffer.from(text));
  },
  (dice, body) => replaceText(dice, body, Buffer.from(dice.pick(WHOLE))),
  (dice, body) => insertInText(dice, body, Buffer.from(dice.pick(ESCAPES))),
  (dice, body) => insertInText(dice, body, Buffer.from(dice.pick(RAW), 'hex')),
  (dice, body) => insertInText(dice, body, Buffer.from(dice.pick(CHARACTERS))),
  (dice, body) => insertInText(dice, body, randomBytes(dice)),
];

function replaceText(
  dice: Dice, { members }: Parameters<Mutation>[1], text: Buffer,
): ReturnType<Mutation> {
  const member = anyOf(dice, members);
  if (member === undefined) return [];
  return [put(member.value, Buffer.concat([Buffer.from('"'), text, Buffer.from('"')]))];
}

function insertInText(
  dice: Dice, { tokens }: Parameters<Mutation>[1], text: Buffer,
): ReturnType<Mutation> {
  const token = anyOf(dice, tokens.filter(({ kind }) => kind === 'text'));
  if (token === undefined) return [];
  return [put(place(dice.between(token.start + 1, token.end - 1)), text)];
}

function randomBytes(dice: Dice): Buffer {
  return Buffer.from(Array.from({ length: dice.between(1, 4) }, () => dice.between(0x80, 0xff)));
}
