import { describe, expect, it } from 'vitest';
import { withIntegers } from '../../../scripts/generate/integers.ts';
import { withChoices } from '../../../scripts/generate/shapes/choices.ts';
import { withNames } from '../../../scripts/generate/shapes/names.ts';
import { withPlainWords } from '../../../scripts/generate/shapes/plain.ts';
import { withRefusals } from '../../../scripts/generate/shapes/refusals.ts';

const THERE = { not: { type: 'null' } };
const refTo = (title: string): object => ({ $ref: `#/components/schemas/${title}` });

describe('a choice by if and then of one member', () => {
  const drive = {
    type: 'object', required: ['kind', 'way'],
    properties: { kind: { type: 'string', enum: ['go_on', 'halt'] }, way: { type: 'number' } },
  };
  const when = (values: readonly string[], title: string): object => ({
    if: { properties: { kind: { enum: values } }, required: ['kind'] }, then: refTo(title),
  });
  const order = {
    title: 'Order', description: 'An order.', type: 'object', required: ['kind'],
    properties: { kind: { type: 'string', enum: ['go_on', 'halt', 'load'] } },
    allOf: [when(['go_on', 'halt'], 'Drive'), when(['load'], 'Load')],
  };
  const load = { type: 'object', properties: { kind: { const: 'load' } } };
  const schemas = { Order: order, Drive: drive, Load: load };

  it('is a oneOf with a discriminator and a schema for each value', () => {
    const made = withChoices(schemas);
    expect(made['Order']).toEqual({
      title: 'Order', description: 'An order.',
      oneOf: [refTo('GoOnKind'), refTo('HaltKind'), refTo('LoadKind')],
      discriminator: {
        propertyName: 'kind',
        mapping: {
          go_on: '#/components/schemas/GoOnKind', halt: '#/components/schemas/HaltKind',
          load: '#/components/schemas/LoadKind',
        },
      },
    });
    expect(made['HaltKind']).toMatchObject({
      title: 'HaltKind', required: ['kind', 'way'],
      properties: { kind: { type: 'string', enum: ['halt'] }, way: { type: 'number' } },
    });
    expect(made['LoadKind']).toMatchObject({ properties: { kind: { enum: ['load'] } } });
  });

  it('stays as it is where a value has no branch', () => {
    const open = { ...order, allOf: order.allOf.slice(0, 1) };
    expect(withChoices({ ...schemas, Order: open })['Order']).toBe(open);
  });
});

describe('conditions', () => {
  it('become one not, in which null is as good as absent', () => {
    expect(withRefusals({
      type: 'object', not: { required: ['m'], properties: { m: true } },
      allOf: [
        { if: { required: ['a'], properties: { a: { enum: [1] } } }, then: { required: ['b'] } },
        { if: { required: ['c'] }, else: { required: ['d'] } },
      ],
    })).toEqual({
      type: 'object',
      not: {
        anyOf: [
          { required: ['m'], properties: { m: THERE } },
          {
            required: ['a'], properties: { a: { enum: [1] } },
            not: { required: ['b'], properties: { b: THERE } },
          },
          {
            not: {
              anyOf: [
                { required: ['c'], properties: { c: THERE } },
                { required: ['d'], properties: { d: THERE } },
              ],
            },
          },
        ],
      },
    });
  });

  it('may not be references, which generators would inherit from', () => {
    expect(() => withRefusals({ allOf: [refTo('Other')] })).toThrow('allOf of references');
  });
});

describe('words of a schema', () => {
  it('are those that every generator knows', () => {
    expect(withPlainWords({
      properties: { any: true, one: { type: 'string', const: 'x' }, yes: { type: 'boolean', const: true } },
      additionalProperties: false,
    })).toEqual({
      properties: { any: {}, one: { type: 'string', enum: ['x'] }, yes: { type: 'boolean' } },
      additionalProperties: false,
    });
  });

  it('have one type at a place, each with its own limits', () => {
    expect(withPlainWords({
      type: ['integer', 'string', 'null'], minimum: 1, maximum: 2, maxLength: 3, description: 'An id.',
    })).toEqual({
      description: 'An id.',
      oneOf: [
        { type: 'integer', format: 'int64', minimum: 1, maximum: 2 }, { type: 'string', maxLength: 3 },
        { type: 'null' },
      ],
    });
    expect(withPlainWords({ type: ['string', 'null'] })).toEqual({ type: ['string', 'null'] });
  });

  it('say the width of every number, also of one that may be null', () => {
    expect(withIntegers({ type: 'number' })).toEqual({ type: 'number', format: 'double' });
    expect(withIntegers({ type: ['number', 'null'] })).toMatchObject({ format: 'double' });
    expect(withIntegers({ type: ['integer', 'null'], minimum: 0, maximum: 253_402_300_799 }))
      .toMatchObject({ format: 'int64' });
  });
});

describe('a member with members of its own', () => {
  it('has a schema named after where it stands', () => {
    const inner = { type: 'object', properties: { at: { type: 'object', properties: {} } } };
    const list = { type: 'array', items: { type: 'object', properties: {} } };
    expect(withNames({ Body: { properties: { a_part: { ...inner, description: 'It.' }, list } } })).toEqual({
      Body: {
        properties: {
          a_part: { description: 'It.', ...refTo('BodyAPart') }, list: { type: 'array', items: refTo('BodyList') },
        },
      },
      BodyAPart: {
        title: 'BodyAPart', description: 'It.', type: 'object', properties: { at: refTo('BodyAPartAt') },
      },
      BodyAPartAt: { title: 'BodyAPartAt', type: 'object', properties: {} },
      BodyList: { title: 'BodyList', type: 'object', properties: {} },
    });
  });
});
