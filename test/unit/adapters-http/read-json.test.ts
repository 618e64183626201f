import { describe, expect, it } from 'vitest';
import { createJsonSteps, createReadJson } from '../../../services/adapters/http/json/read-json.ts';
import { CODES } from '../../../services/kernel/codes.ts';
import { readJsonCases } from '../../support/json-test-suite/read-cases.ts';

const readJson = createReadJson(20);

function read(text: string | Buffer) {
  const reading = readJson(Buffer.from(text));
  if (reading.ok) return { value: reading.value, text: Buffer.from(reading.canonical).toString() };
  const { code, errors } = reading.refusal;
  return { code, pointer: errors?.[0]?.pointer };
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** As many empty lists in a list, which is one value more. */
const lists = (count: number): string => `[${Array.from({ length: count }, () => '[]').join()}]`;
const names = (count: number): string => JSON.stringify(
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`n${nth}`, 1])),
);

describe('the work that one body may ask for', () => {
  it('[GEN-44] is 150,000 values, whatever they are', () => {
    expect(read(lists(149_999))).toHaveProperty('value');
    expect(read(lists(150_000))).toEqual({ code: 'payload_too_large', pointer: '/149999' });
    const members = Array.from({ length: 75_000 }, () => '{"a":1}').join();
    expect(read(`[${members}]`)).toMatchObject({ code: 'payload_too_large' });
  });

  it('[GEN-44] ends at the limit: what follows is not even read', () => {
    expect(read(lists(150_000).replace(/\]$/, '{{{'))).toMatchObject({ code: 'payload_too_large' });
  });

  it('[GEN-44] is 2,000 names that differ, however often each is used', () => {
    expect(read(names(2_000))).toHaveProperty('value');
    expect(read(names(2_200))).toMatchObject({ code: 'payload_too_large' });
    const often = `[${Array.from({ length: 100 }, () => names(500)).join()}]`;
    expect(read(often)).toHaveProperty('value');
  });

  it('is done in steps, between which others have their turn', () => {
    const steps = createJsonSteps(20)(Buffer.from(`[${'"x",'.repeat(100_000)}1]`));
    let pauses = 0;
    for (let step = steps.next(); step.done !== true; step = steps.next()) pauses += 1;
    // Each step of 64 KiB, once for the encoding and once for the rest.
    expect(pauses).toBe(12);
  });

  it('[GEN-24] has no number of more than 16,384 characters', () => {
    expect(read(`[0.${'1'.repeat(16_382)}]`)).toHaveProperty('value');
    expect(read(`[0.${'1'.repeat(16_383)}]`))
      .toEqual({ code: 'number_out_of_range', pointer: '/0' });
  });

  it('[GEN-44] has no name of more than 64 KiB', () => {
    expect(read(`{"${'n'.repeat(65_536)}":1}`)).toHaveProperty('value');
    expect(read(`{"${'n'.repeat(65_537)}":1}`)).toMatchObject({ code: 'payload_too_large' });
  });
});

describe('exact reading of JSON', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    [' \t\r\n{"a" : [ 1 , "x" ] } \n', '{"a":[1,"x"]}'],
    ['{"a":-0}', '{"a":0}'],
    ['{"a":1.50,"b":1E2}', '{"a":1.5,"b":100}'],
    ['{"a":9007199254740991}', '{"a":9007199254740991}'],
    ['{"a":-9007199254740991}', '{"a":-9007199254740991}'],
    ['{"a":0.00000000000000000001}', '{"a":1e-20}'],
    ['"\\ud83d\\ude00"', '"😀"'],
    ['"\\u0001"', '"\\u0001"'],
    ['{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
    ['{"":1}', '{"":1}'],
  ])('takes %s and writes it again', (text, canonical) => {
    expect(read(text)).toMatchObject({ text: canonical });
  });

  it.each([
    ['', 'malformed_json', ''],
    ['   ', 'malformed_json', ''],
    ['{"a":1}{}', 'malformed_json', ''],
    ['{"a":1} x', 'malformed_json', ''],
    ['{"a":1,}', 'malformed_json', ''],
    ['[1,]', 'malformed_json', '/1'],
    ["{'a':1}", 'malformed_json', ''],
    ['{"a":NaN}', 'malformed_json', '/a'],
    ['{"a":Infinity}', 'malformed_json', '/a'],
    ['{"a":01}', 'malformed_json', '/a'],
    ['{"a":"\n"}', 'malformed_json', '/a'],
    ['{"a":"\\x"}', 'malformed_json', '/a'],
    ['\uFEFF{}', 'malformed_json', ''],
    ['{"a":"\\ud800"}', 'invalid_encoding', '/a'],
    ['{"a":"\\udc00\\ud800"}', 'invalid_encoding', '/a'],
    ['{"\\ud800":1}', 'invalid_encoding', ''],
    ['{"a":"x\\u0000"}', 'invalid_encoding', '/a'],
    ['{"a":{"b~/":9223372036854775808}}', 'number_out_of_range', '/a/b~0~1'],
    ['{"a":[0,-9223372036854775808]}', 'number_out_of_range', '/a/1'],
    ['{"a":9007199254740992.5}', 'number_out_of_range', '/a'],
    ['{"a":9007199254740993e0}', 'number_out_of_range', '/a'],
    [`{"a":1${'0'.repeat(5_000)}}`, 'number_out_of_range', '/a'],
    ['{"a":1e300}', 'number_out_of_range', '/a'],
    ['{"a":1e400}', 'number_out_of_range', '/a'],
  ])('refuses %s', (text, code, pointer) => {
    expect(read(text)).toEqual({ code, pointer });
  });

  it.each([
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"\\u0061":2}', '/a'],
    ['{"x":[{"b":{}},{"b":{"q":1,"q":{"q":1}}}]}', '/x/1/b/q'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"a":{"b":1,"b":2},"a":3}', '/a/b'],
    ['{"1":1,"\\u0031":1}', '/1'],
  ])('[GEN-14] refuses the equal keys of %s, also when they are written differently',
    (text, pointer) => {
      expect(read(text)).toEqual({ code: 'duplicate_key', pointer });
    });

  it.each(['9007199254740992', '-9007199254740993', '9223372036854775807', '-9223372036854775807'])(
    '[GEN-34] keeps the Long %s by its digits, in the value and in the canonical bytes', (long) => {
      const reading = createReadJson()(Buffer.from(`{"a":[ ${long} ],"__proto__":1,"b":1.50}`));
      expect(reading).toMatchObject({ ok: true, value: { a: [long], b: 1.5 } });
      expect(Buffer.from((reading as { canonical: Uint8Array }).canonical).toString())
        .toBe(`{"a":["${long}"],"__proto__":1,"b":1.5}`);
    },
  );

  it('allows the same key in different objects', () => {
    expect(read('{"a":{"a":[{"a":1},{"a":2}]}}')).toHaveProperty('value');
  });

  it('[GEN-21] takes depth 20 and refuses depth 21', () => {
    expect(read(nested(20))).toHaveProperty('value');
    expect(read(nested(21))).toMatchObject({ code: 'too_deep' });
    expect(read(`{"a":${nested(19)}}`)).toHaveProperty('value');
    expect(read(`{"a":${nested(20)}}`)).toMatchObject({ code: 'too_deep' });
  });

  it('refuses ten thousand closed and a hundred thousand open levels without recursion', () => {
    expect(read(nested(10_000))).toMatchObject({ code: 'too_deep' });
    expect(read('['.repeat(100_000))).toMatchObject({ code: 'too_deep' });
    expect(read('{"a":'.repeat(100_000))).toMatchObject({ code: 'too_deep' });
  });

  it('refuses bytes that are not UTF-8', () => {
    for (const bytes of [[0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22]]) {
      expect(read(Buffer.from(bytes))).toMatchObject({ code: 'invalid_encoding' });
    }
  });

  it('keeps a pointer short when a key is long', () => {
    const { pointer } = read(`{"a":{"${'k'.repeat(100_000)}":NaN}}`);
    expect(pointer).toBe('/a');
  });
});

describe('the public corpus of JSON cases', () => {
  const syntax = new Set(['malformed_json', 'invalid_encoding', 'too_deep']);
  // Good JSON that has two readings, no exact value, or holds NUL.
  const stricter = new Set(['duplicate_key', 'number_out_of_range', 'invalid_encoding']);

  it('is complete', () => {
    expect(readJsonCases()).toHaveLength(318);
  });

  it.each(readJsonCases().filter((sample) => sample.mustBeAccepted))(
    '$name is no syntax error', ({ bytes }) => {
      const reading = readJson(bytes);
      if (!reading.ok) expect(stricter).toContain(reading.refusal.code);
      else expect(reading.value).toEqual(JSON.parse(bytes.toString('utf8')));
    },
  );

  it.each(readJsonCases().filter((sample) => sample.mustBeRefused))(
    '[GEN-01] $name is refused with a sentence', ({ bytes }) => {
      const reading = readJson(bytes);
      expect(reading.ok).toBe(false);
      if (reading.ok) return;
      expect(syntax).toContain(reading.refusal.code);
      expect(CODES[reading.refusal.code].kind).toBe('invalid');
      expect(reading.refusal.detail).toMatch(/^[A-Z].{10,}\.$/);
    },
  );

  const open = readJsonCases().filter(({ mustBeAccepted, mustBeRefused }) => (
    !mustBeAccepted && !mustBeRefused
  ));

  it.each(open)('[GEN-01] $name is refused with a sentence, or read exactly', ({ bytes }) => {
    const reading = readJson(bytes);
    if (reading.ok) return expect(reading.value).toEqual(JSON.parse(bytes.toString('utf8')));
    expect(new Set([...syntax, ...stricter])).toContain(reading.refusal.code);
    return expect(reading.refusal.detail).toMatch(/^[A-Z].{10,}\.$/);
  });
});
