import { describe, expect, it } from 'vitest';
import { framedValue, unframe, type RawRecord } from '../../../services/adapters/kafka/frame.ts';

const framed = (json: string, schemaId: number): Buffer =>
  framedValue({ json: Buffer.from(json), schemaId });
const raw = (value: Buffer | undefined, key: Buffer | undefined = Buffer.from('k')): RawRecord => ({
  topic: 't', topicId: 'id', partition: 3, offset: 9_007_199_254_740_993n, key, value,
  headers: { a: 'b' }, timestampMs: 5,
});

describe('the frame of a value', () => {
  it('is 0x00, the schema id in four bytes and the JSON as it was', () => {
    expect(framed('{"a":1}', 258).toString('hex'))
      .toBe(`0000000102${Buffer.from('{"a":1}').toString('hex')}`);
  });

  it('comes off again and keeps place, headers and time', () => {
    const record = unframe(raw(framed('{"a":1}', 258)));
    expect(record).toMatchObject({
      topic: 't', topicId: 'id', partition: 3, offset: 9_007_199_254_740_993n, key: 'k',
      schemaId: 258, headers: { a: 'b' }, timestampMs: 5,
    });
    expect('value' in record && record.value.toString()).toBe('{"a":1}');
  });

  it.each([
    ['no value', raw(undefined)],
    ['no key', { ...raw(framed('1', 1)), key: undefined }],
    ['another first byte', raw(Buffer.from('{"a":1}'))],
    ['nothing after the frame', raw(Buffer.from([0, 0, 0, 0, 1]))],
    ['a negative schema id', raw(Buffer.from([0, 255, 255, 255, 255, 49]))],
  ])('a record with %s is handed on as undecodable, with its bytes', (_, record) => {
    const result = unframe(record);
    const { key: rawKey, value: rawValue, offset } = record;
    expect(result).toMatchObject({ rawKey, rawValue, offset });
    expect('value' in result).toBe(false);
  });
});
