import { naughtyTexts } from '../naughty-strings/read-strings.ts';

/** A number from 0 up to 1, the next of a seed. */
export type Random = () => number;

/** Mulberry32: small, fast, the same everywhere. */
export function diceOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** JSON texts of values that are at a border of something. */
const VALUES = [
  'null', 'true', 'false', '0', '-0', '1', '-1', '0.1', '1e2', '1E+2', '1e-7', '1.0', '0.10',
  '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993',
  '9223372036854775807', '9223372036854775808', '18446744073709551616', '1e309', '-1e309',
  '123456789012345678901234567890', '0.1000000000000000055511151231257827', '1e-400', '90', '180.1',
  '""', '" "', '"0"', '"2026-11-21T00:00:00Z"', '"9999-12-31T23:59:60Z"', '"BR"', '"\\u0000"',
  '"\\ud83d\\ude00"', '"\\ud83d"', '"__proto__"', '[]', '{}', '[[]]', '[null]', '{"":""}',
  '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}',
];
const NAMES = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'id', 'type', 'm',
  'personal', '$where', '\u0000', 'a'.repeat(300),
];

type Slot = { readonly holder: Record<string | number, unknown>; readonly name: string | number };
type Change = (slots: readonly Slot[], dice: Random) => void;

const NAUGHTY = naughtyTexts();

/** Text that is kept as it is until the body is written. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const pick = <T>(list: readonly T[], dice: Random): T => (
  list[Math.floor(dice() * list.length)] as T
);

/** Changes of the structure; a new one goes to the end. */
const CHANGES: readonly Change[] = [
  (slots, dice) => put(pick(slots, dice), new Written(pick(VALUES, dice))),
  (slots, dice) => put(pick(slots, dice), new Written(pick(NAUGHTY, dice))),
  (slots, dice) => {
    const { holder, name } = pick(slots, dice);
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete holder[name];
  },
  (slots, dice) => put(pick(slots, dice), structuredCloneOf(valueOf(pick(slots, dice)))),
  (slots, dice) => {
    const inside = valueOf(pick(slots, dice));
    if (typeof inside === 'object' && inside !== null && !(inside instanceof Written)) {
      Object.defineProperty(inside, pick(NAMES, dice), {
        value: new Written(pick(VALUES, dice)),
        enumerable: true, configurable: true, writable: true,
      });
    }
  },
  (slots, dice) => {
    const slot = pick(slots, dice);
    put(slot, dice() < 0.5 ? [valueOf(slot)] : { nested: valueOf(slot) });
  },
  (slots, dice) => {
    const { holder } = pick(slots, dice);
    if (!Array.isArray(holder)) return;
    const times = pick([2, 10, 1_001], dice);
    while (holder.length < times) holder.push(structuredCloneOf(holder[0]));
  },
];

/** Changes after which many a body is still good: a value of the same kind, or one member more. */
const GENTLE_CHANGES: readonly Change[] = [
  (slots, dice) => {
    const texts = slots.filter((slot) => typeof valueOf(slot) === 'string');
    if (texts.length > 0) put(pick(texts, dice), new Written(pick(NAUGHTY, dice)));
  },
  (slots, dice) => {
    const numbers = slots.filter((slot) => typeof valueOf(slot) === 'number');
    if (numbers.length > 0) put(pick(numbers, dice), new Written(numberText(dice)));
  },
  (slots, dice) => {
    const inside = pick(slots.map(valueOf).filter(isObject), dice);
    Object.defineProperty(inside, dice() < 0.5 ? pick(NAMES, dice) : nameOf(pick(NAUGHTY, dice)), {
      value: new Written(pick(dice() < 0.5 ? VALUES : NAUGHTY, dice)),
      enumerable: true, configurable: true, writable: true,
    });
  },
  (slots, dice) => {
    const lists = slots.map(valueOf).filter((value) => Array.isArray(value));
    const list = lists.length > 0 ? pick(lists, dice) : [];
    if (list.length > 0) list.push(structuredCloneOf(list[0]));
  },
];

/** A number with up to 17 digits on either side of its point, at times with a power. */
function numberText(dice: Random): string {
  const digits = (most: number): string => (
    String(Math.floor(dice() * 10 ** Math.floor(dice() * most)))
  );
  const sign = dice() < 0.3 ? '-' : '';
  const fraction = dice() < 0.6 ? `.${digits(18)}` : '';
  const power = dice() < 0.1 ? `e${dice() < 0.5 ? '-' : '+'}${Math.floor(dice() * 12)}` : '';
  return `${sign}${digits(dice() < 0.5 ? 3 : 17)}${fraction}${power}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    && !(value instanceof Written);
}

/** Names are written as JSON texts; a lone surrogate in one is written as what replaces it. */
function nameOf(text: string): string {
  return JSON.parse(text) as string;
}

/** Changes of the text; a new one goes to the end. */
const DAMAGES: readonly ((text: string, dice: Random) => string)[] = [
  (text, dice) => text.slice(0, Math.floor(dice() * text.length)),
  (text, dice) => spliced(text, dice, 1, String.fromCharCode(Math.floor(dice() * 128))),
  (text, dice) => spliced(text, dice, 0, pick(['"', '{', '}', '[', ']', ',', ':', '\\'], dice)),
  (text, dice) => spliced(text, dice, 0, '['.repeat(pick([1, 19, 21, 5_000], dice))),
  (text) => text.replace(/"(\w+)":/, '"$1":0,"$1":'),
  (text) => `\uFEFF${text}`,
  (text, dice) => spliced(text, dice, Math.floor(dice() * 40), ''),
];
/** What is no UTF-8, or is it in a way that is forbidden: a surrogate, `/` in two bytes, a half. */
const WRONG_BYTES = [
  [0x80], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x00],
  [0xef, 0xbb, 0xbf],
].map((bytes) => Buffer.from(bytes));

const GENTLE_SHARE = 0.5;
const DAMAGED_SHARE = 0.25;
const DAMAGED_BYTES_SHARE = 0.03;
const CHANGES_MAX = 3;

/**
 * The body that a dice makes of a good one. Half of them have one gentle change, that many schemas
 * allow; the others some of any kind, and at times damaged text.
 */
export function mutated(good: unknown, dice: Random): string {
  const root: Record<string, unknown> = { body: structuredCloneOf(good) };
  if (dice() < GENTLE_SHARE) {
    pick(GENTLE_CHANGES, dice)(slotsOf(root), dice);
    return written(root['body']);
  }
  const changes = 1 + Math.floor(dice() * CHANGES_MAX);
  for (let done = 0; done < changes; done += 1) pick(CHANGES, dice)(slotsOf(root), dice);
  const text = written(root['body']);
  return dice() < DAMAGED_SHARE ? pick(DAMAGES, dice)(text, dice) : text;
}

/** The bytes of a body; of some of them a few are overwritten by what is no text. */
export function damagedBytes(text: string, dice: Random): Buffer {
  const bytes = Buffer.from(text);
  if (dice() >= DAMAGED_BYTES_SHARE) return bytes;
  const at = Math.floor(dice() * (bytes.length + 1));
  return Buffer.concat([bytes.subarray(0, at), pick(WRONG_BYTES, dice), bytes.subarray(at + 1)]);
}

function slotsOf(root: Record<string, unknown>): readonly Slot[] {
  const slots: Slot[] = [];
  const visit = (holder: Record<string | number, unknown>, name: string | number): void => {
    slots.push({ holder, name });
    const inside = holder[name];
    if (typeof inside !== 'object' || inside === null || inside instanceof Written) return;
    for (const next of Object.keys(inside).slice(0, 60)) {
      visit(inside as Record<string, unknown>, Array.isArray(inside) ? Number(next) : next);
    }
  };
  visit(root, 'body');
  return slots;
}

const valueOf = ({ holder, name }: Slot): unknown => holder[name];

function put({ holder, name }: Slot, value: unknown): void {
  Object.defineProperty(holder, name, {
    value, enumerable: true, configurable: true, writable: true,
  });
}

function structuredCloneOf(value: unknown): unknown {
  if (value instanceof Written || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(structuredCloneOf);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, structuredCloneOf(member)]),
  );
}

function written(value: unknown): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([name, member]) => (
    `${JSON.stringify(name)}:${written(member)}`
  ));
  return `{${members.join(',')}}`;
}

function spliced(text: string, dice: Random, taken: number, added: string): string {
  const at = Math.floor(dice() * (text.length + 1));
  return text.slice(0, at) + added + text.slice(at + taken);
}
