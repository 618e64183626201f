import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonSteps, createReadJson } from '../../../services/adapters/http/json/read-json.ts';
import { parseExact, sortedJson, withoutNulls } from '../../../services/kernel/exact-json.ts';
import { finish } from '../../../services/kernel/steps.ts';
import { textOfSent, withLongTexts } from '../../support/sent-text.ts';

const DEPTH_MAX = 6;
const readJson = createReadJson(DEPTH_MAX);
/** Steps that are so small that every kind of them is taken also by small bodies. */
const STEP_BYTES = [32, 48, 200];
const LONG_TEXT_BYTES_MIN = 40;
/** An object has the name `1` before all others, wherever it was written. */
const INDEX_AFTER_EMPTY: [string, number] = ['{"": true,"1": [-10 ,false]}', 32];

/**
 * The slow and plain reader: recursive, by JSON.parse for scalars, with a set of keys per object.
 * Undefined for what must be refused.
 */
function referenceRead(text: string): { value: unknown } | undefined {
  let at = 0;
  const space = (): void => { while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1; };
  const eat = (mark: string): void => {
    if (text[at] !== mark) throw new Error(`no ${mark}`);
    at += 1;
  };
  function scalar(pattern: RegExp): unknown {
    const found = pattern.exec(text.slice(at))?.[0];
    if (found === undefined) throw new Error('no scalar');
    at += found.length;
    const value: unknown = JSON.parse(found);
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      if (!/^-?\d+$/.test(found) || BigInt(found.replace('-', '')) >= 2n ** 63n) throw new Error();
      return found;
    }
    if (typeof value === 'string' && !value.isWellFormed()) throw new Error();
    return value;
  }
  function read(depth: number): unknown {
    space();
    const first = text[at];
    if (first !== '{' && first !== '[') {
      const value = scalar(first === '"'
        ? /^"(?:[^"\\]|\\.)*"/s
        : /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/);
      space();
      return value;
    }
    if (depth === DEPTH_MAX) throw new Error('too deep');
    at += 1;
    const close = first === '{' ? '}' : ']';
    const items: unknown[] = [];
    const entries: [string, unknown][] = [];
    space();
    while (text[at] !== close) {
      if (items.length + entries.length > 0) eat(',');
      if (first === '[') items.push(read(depth + 1));
      else {
        space();
        const key = scalar(/^"(?:[^"\\]|\\.)*"/s) as string;
        if (entries.some(([known]) => known === key)) throw new Error('twice');
        space();
        eat(':');
        entries.push([key, read(depth + 1)]);
      }
    }
    at += 1;
    space();
    return first === '[' ? items : Object.fromEntries(entries);
  }
  try {
    const value = read(0);
    return at === text.length ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Texts that are nearly JSON: valid ones with a few characters changed, moved or doubled. */
const pieces = fc.constantFrom(
  '{', '}', '[', ']', ',', ':', '"', '"a"', '"b"', '"\\u0061"', '"\\ud83d\\ude00"', '"\\ud83d"',
  '0', '1', '-', '.', 'e', 'E+', '9007199254740991', '9007199254740992', '9223372036854775807', '9223372036854775808', 'true',
  'null', ' ', '\n',
  '\\', '\\u', '\u0000', '"__proto__"',
);
const soup = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''));
const key = fc.constantFrom('a', 'b', 'c', '__proto__', '');
const valid = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.integer(), fc.double({ noNaN: true })).map((n) => JSON.stringify(n)),
    fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'false', 'null', '"\\u00e9"', '-0', '1e5', '0.1'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((members) =>
      `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(',')}}`),
  ),
})).value;
const places = fc.tuple(valid, fc.nat(), fc.nat({ max: 3 }), pieces);
const bent = places.map(([text, place, cut, piece]) => {
  const at = place % (text.length + 1);
  return (text.slice(0, at) + piece + text.slice(at + cut)).toWellFormed();
});

/** Long texts with and without escapes, also such as look like a stand-in. */
const longTexts = fc.array(fc.constantFrom(
  'x'.repeat(37), 'ü', '漢', '😀', '\\ud83d\\ude00', '\\n', '\\\\', '\\"', '\\/', '\\u00e9', '\\\\u00000x',
), { minLength: 4, maxLength: 30 }).map((parts) => `"${parts.join('')}"`);
const withLongOnes = fc.tuple(valid, fc.array(fc.tuple(key, longTexts), { maxLength: 4 }))
  .map(([text, members]) => `[${text},{${members
    .map(([name, long], at) => `"${name}${at}":${long}`).join()}},${text}]`);

describe('reading in steps', () => {
  it.each([
    ['valid texts', valid, 400], ['bent texts', bent, 2_000], ['long texts', withLongOnes, 1_000],
  ] as const)('gives of %s what reading at once gives', (_name, texts, numRuns) => {
    fc.assert(fc.property(texts, fc.constantFrom(...STEP_BYTES), (text, stepBytes) => {
      const whole = readJson(Buffer.from(text));
      const readInSteps = createJsonSteps(DEPTH_MAX, {
        stepBytes, longTextBytesMin: LONG_TEXT_BYTES_MIN,
      });
      const asked = { keepsNumbers: true, cutsLongTexts: true };
      const reading = finish(readInSteps(Buffer.from(text), asked));
      if (!whole.ok || !reading.ok) {
        expect(reading, text).toEqual(whole);
        return;
      }
      const { value, sent } = reading;
      expect(withLongTexts(value, sent.texts), text).toEqual(whole.value);
      const exact = withoutNulls(parseExact(text));
      expect(textOfSent(sent, { stepBytes })).toBe(JSON.stringify(exact));
      expect(textOfSent(sent, { stepBytes, isSorted: true })).toBe(sortedJson(exact));
      const uncut = finish(readInSteps(Buffer.from(text)));
      expect(uncut).toMatchObject({ ok: true, value: whole.value });
    }), { numRuns, examples: [INDEX_AFTER_EMPTY] });
  });
});

describe('the JSON scan', () => {
  it.each([
    ['valid texts', valid, 400], ['bent texts', bent, 2_000], ['soup', soup, 2_000],
  ] as const)('accepts of %s exactly what the slow reference accepts', (_name, texts, numRuns) => {
    fc.assert(fc.property(texts, (text) => {
      const reading = readJson(Buffer.from(text));
      const reference = referenceRead(text);
      expect(reading.ok, text).toBe(reference !== undefined);
      if (!reading.ok || reference === undefined) return;
      expect(reading.value).toEqual(withoutNulls(reference.value));
      expect(Buffer.from(reading.canonical).toString()).toBe(JSON.stringify(reading.value));
    }), { numRuns });
  });

  it('never throws and never accepts bytes that are no UTF-8', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const reading = readJson(Buffer.from(bytes));
      const isUtf8 = Buffer.from(Buffer.from(bytes).toString('utf8')).equals(Buffer.from(bytes));
      if (!isUtf8) expect(reading.ok).toBe(false);
    }), { numRuns: 500 });
  });
});
