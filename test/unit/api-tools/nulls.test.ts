import { describe, expect, it } from 'vitest';
import { withNulls } from '../../../scripts/generate/nulls.ts';
import type { JsonObject } from '../../../schemas/files.ts';

const refTo = (title: string): JsonObject => ({ $ref: `#/components/schemas/${title}` });

const SCHEMAS: JsonObject = {
  Body: {
    type: 'object', required: ['id'],
    properties: {
      id: { type: 'string' }, text: { type: 'string', examples: ['x'] },
      kind: { enum: ['a', 'b'], type: 'string' }, one: { const: 1 },
      both: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, part: refTo('Part'),
      list: { type: 'array', items: refTo('Part') }, code: refTo('Code'),
    },
  },
  Answer: { type: 'object', properties: { part: refTo('Part'), code: refTo('Code') } },
  Part: { type: 'object', properties: { more: { type: ['integer', 'string'] } } },
  Code: { type: 'string' },
};

describe('null in the document of the interface', () => {
  const { schemas, nameOf } = withNulls(SCHEMAS, { sent: ['Body'], answered: ['Answer'] });

  it('[GEN-33] is a value of each member that may be missing, and of no other', () => {
    expect(schemas['Body']).toMatchObject({
      required: ['id'],
      properties: {
        id: { type: 'string' },
        text: { type: ['string', 'null'], examples: ['x'] },
        kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
        one: { anyOf: [{ const: 1 }, { type: 'null' }] },
        both: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
        part: { anyOf: [refTo('PartSent'), { type: 'null' }] },
        list: { type: ['array', 'null'], items: refTo('PartSent') },
        code: { anyOf: [refTo('Code'), { type: 'null' }] },
      },
    });
  });

  it('is in no answer: what is sent and answered has a schema for each', () => {
    expect(schemas['Answer']).toEqual(SCHEMAS['Answer']);
    expect(schemas['Part']).toEqual(SCHEMAS['Part']);
    expect(schemas['PartSent']).toMatchObject({
      properties: { more: { type: ['integer', 'string', 'null'] } },
    });
    expect(['Body', 'Part', 'Code', 'Answer'].map(nameOf))
      .toEqual(['Body', 'PartSent', 'Code', 'Answer']);
  });
});
