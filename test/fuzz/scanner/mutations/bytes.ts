import type { Mutation } from '../edits.ts';
import { place, put } from '../edits.ts';

const TAILS = ['\0', ' ', '\n', '{}', ',', ']', '}', '\u00a0', '\ufeff', '\0\0\0\0', ' \0', 'x', '//'];

/** Blind changes of bytes, without a thought of what they mean. */
export const BYTE_MUTATIONS: readonly Mutation[] = [
  function flipBit(dice, { bytes }) {
    const at = dice.between(0, bytes.length - 1);
    const flipped = (bytes[at] ?? 0) ^ (1 << dice.between(0, 7));
    return [put({ start: at, end: at + 1 }, Buffer.of(flipped))];
  },
  function anyByte(dice, { bytes }) {
    const at = dice.between(0, bytes.length - 1);
    return [put({ start: at, end: at + 1 }, Buffer.of(dice.between(0, 255)))];
  },
  function insertByte(dice, { bytes }) {
    return [put(place(dice.between(0, bytes.length)), Buffer.of(dice.between(0, 255)))];
  },
  function removeBytes(dice, { bytes }) {
    const start = dice.between(0, bytes.length - 1);
    return [put({ start, end: Math.min(bytes.length, start + dice.between(1, 8)) }, '')];
  },
  function copyBytes(dice, { bytes }) {
    const from = dice.between(0, bytes.length - 1);
    const copied = bytes.subarray(from, from + dice.between(1, 40));
    return [put(place(dice.between(0, bytes.length)), copied)];
  },
  function cutOff(dice, { bytes }) {
    return [put({ start: dice.between(0, bytes.length - 1), end: bytes.length }, '')];
  },
  function addTail(dice, { bytes }) {
    return [put(place(dice.chance(0.8) ? bytes.length : 0), dice.pick(TAILS))];
  },
];
