import type { Edit, Mutation } from '../edits.ts';
import { anyOf, place, put } from '../edits.ts';
import type { Span } from '../index-body.ts';

const NAMES = [
  'device_id', 'post_timestamp', 'locations', 'timestamp', 'country_id', 'latitude', 'longitude',
  'altitude', 'accuracy', 'bearing', 'bearing_accuracy', 'metadata', 'telemetry', 'name', 'value',
  'ignition', 'odometer', 'speed', 'direction', 'fuel_level', 'others', 'm', '__proto__', 'constructor',
  'Latitude', 'latitude ', 'latitud', 'latitudes', '', 'x', 'lat\\u0069tude', '\u212aatitude', 'device_i',
];
const VALUES = [
  'null', 'true', 'false', '{}', '[]', '[[]]', '[{}]', '""', '"x"', '1', '-1', 'tru', 'truee', 'True',
  '{"name":"a","value":"b"}', '[{"name":"a","value":"b"}]', '[{"name":"a"}]', '[{"value":"b","name":"a"}]',
  '[{"name":"a","value":"b","x":1}]', '[{"name":"a","value":"b","name":"c"}]', '[{"name":1,"value":"b"}]',
  '{"timestamp":1764000000}', '{"timestamp":1764000000,"speed":1,"speed":2}', '{"timestamp":1}',
];
const SPACES = [' ', '\n', '\t', '\r', '  \r\n\t', '\v', '\f', '\u00a0', '\u2003', '\ufeff', '\0', ''];
const DEEP = ['['.repeat(19), '['.repeat(21), '{"a":'.repeat(20), '['.repeat(600)];
const MARKS = ['{', '}', '[', ']', ',', ':', '"'];
const COUNTS = [2, 19, 20, 21, 22];

/** Members and items that are missing, doubled, renamed, moved or in the wrong place. */
export const STRUCTURE_MUTATIONS: readonly Mutation[] = [
  function removeMember(dice, { bytes, members }) {
    const member = anyOf(dice, members);
    return member === undefined ? [] : [put(withComma(bytes, member), '')];
  },
  function doubleMember(dice, { bytes, members }) {
    const member = anyOf(dice, members);
    if (member === undefined) return [];
    return [put(place(member.end), `,${bytes.toString('utf8', member.start, member.end)}`)];
  },
  function renameMember(dice, { members }) {
    const member = anyOf(dice, members);
    return member === undefined ? [] : [put(member.name, `"${dice.pick(NAMES)}"`)];
  },
  function addMember(dice, { members }) {
    const member = anyOf(dice, members);
    if (member === undefined) return [];
    return [put(place(member.start), `"${dice.pick(NAMES)}":${dice.pick(VALUES)},`)];
  },
  function otherValue(dice, { members }) {
    const member = anyOf(dice, members);
    return member === undefined ? [] : [put(member.value, dice.pick(VALUES))];
  },
  function copyMember(dice, { bytes, members }) {
    const [from, to] = [anyOf(dice, members), anyOf(dice, members)];
    if (from === undefined || to === undefined) return [];
    return [put(to, bytes.subarray(from.start, from.end))];
  },
  function swapMembers(dice, { bytes, members }) {
    const [one, other] = [anyOf(dice, members), anyOf(dice, members)];
    if (one === undefined || other === undefined) return [];
    return swapped(bytes, one, other);
  },
  function removeItem(dice, { bytes, items }) {
    const item = anyOf(dice, items);
    return item === undefined ? [] : [put(withComma(bytes, item), '')];
  },
  function repeatItem(dice, { bytes, items }) {
    const item = anyOf(dice, items);
    if (item === undefined) return [];
    // A thousand locations take long to check, so this is rare.
    const count = dice.chance(0.002) ? dice.pick([999, 1_000, 1_001]) : dice.pick(COUNTS);
    const text = bytes.toString('latin1', item.start, item.end);
    return [put(item, Buffer.from(Array.from({ length: count }, () => text).join(), 'latin1'))];
  },
  function otherToken(dice, { tokens }) {
    const token = anyOf(dice, tokens);
    return token === undefined ? [] : [put(token, dice.pick([...VALUES, ...MARKS]))];
  },
  function swapTokens(dice, { bytes, tokens }) {
    const [one, other] = [anyOf(dice, tokens), anyOf(dice, tokens)];
    if (one === undefined || other === undefined) return [];
    return swapped(bytes, one, other);
  },
  function removeToken(dice, { tokens }) {
    const token = anyOf(dice, tokens);
    return token === undefined ? [] : [put(token, '')];
  },
  function doubleToken(dice, { bytes, tokens }) {
    const token = anyOf(dice, tokens);
    if (token === undefined) return [];
    return [put(place(token.end), bytes.subarray(token.start, token.end))];
  },
  function addSpace(dice, { tokens }) {
    const edits: Edit[] = [];
    for (let count = dice.between(1, 4); count > 0; count -= 1) {
      const token = anyOf(dice, tokens);
      if (token === undefined) return [];
      const at = dice.chance(0.5) ? token.start : token.end;
      edits.push(put(place(at), dice.pick(dice.chance(0.7) ? SPACES.slice(0, 5) : SPACES)));
    }
    return edits;
  },
  function goDeep(dice, { tokens }) {
    const token = anyOf(dice, tokens);
    return token === undefined ? [] : [put(place(token.start), dice.pick(DEEP))];
  },
];

function swapped(bytes: Buffer, one: Span, other: Span): Edit[] {
  return [
    put(one, bytes.subarray(other.start, other.end)),
    put(other, bytes.subarray(one.start, one.end)),
  ];
}

/** A part with the comma after it, or else the one before it. */
function withComma(bytes: Buffer, { start, end }: Span): Span {
  const isComma = (at: number): boolean => bytes[at] === 0x2c;
  if (isComma(end)) return { start, end: end + 1 };
  return isComma(start - 1) ? { start: start - 1, end } : { start, end };
}
