import { describe, expect, it } from 'vitest';
import type { LogForm } from '../../../scripts/release/log-form.ts';
import { breaksOf } from '../../../scripts/release/only-grows.ts';

const text = { type: 'string', maxLength: 255 };
const branch = (fact: string, members: object = {}): object => ({
  type: 'object', properties: { fact: { const: fact }, ...members }, required: ['fact'],
});
const record = {
  type: 'object',
  properties: { id: text, items: { type: 'array', items: { type: 'object', properties: { a: text } } } },
  required: ['id'],
  oneOf: [branch('one'), branch('two')],
  additionalProperties: false,
};

function log(schema: object, partitions = 12, name = 'a.v1'): LogForm {
  return {
    topics: { [name]: { record: 'A', subject: 'a.v1-value', partitions } },
    records: { A: schema as LogForm['records'][string] },
  };
}

const released = log(record);
const { properties } = record;

describe('a log that was released', () => {
  it.each([
    ['the same', log(structuredClone(record))],
    ['an optional member', log({ ...record, properties: { ...properties, more: text } })],
    ['an optional member of an item', log({
      ...record,
      properties: {
        ...properties,
        items: { type: 'array', items: { type: 'object', properties: { a: text, b: text } } },
      },
    })],
    ['a branch behind the others', log({ ...record, oneOf: [...record.oneOf, branch('three')] })],
    ['an optional member of a branch', log({
      ...record, oneOf: [branch('one', { more: text }), branch('two')],
    })],
    ['another topic', {
      ...released, topics: { ...released.topics, ...log(record, 3, 'b.v1').topics },
    }],
  ])('may become %s', (_what, today) => {
    expect(breaksOf(released, today)).toEqual([]);
  });

  it.each([
    ['a topic fewer', { ...released, topics: {} }, 'topic a.v1'],
    ['other partitions', log(record, 13), 'topic a.v1'],
    ['a record fewer', { ...released, records: {} }, 'A'],
    ['a member fewer', log({ ...record, properties: { items: properties.items } }), 'A/id'],
    ['a member of another type', log({ ...record, properties: { ...properties, id: { type: 'integer' } } }),
      'A/id type'],
    ['one more that is mandatory', log({
      ...record, properties: { ...properties, more: text }, required: ['id', 'more'],
    }), 'A required'],
    ['one fewer that is mandatory', log({ ...record, required: [] }), 'A required'],
    ['a branch fewer', log({ ...record, oneOf: [branch('one')] }), 'A/oneOf/1'],
    ['open', log({ ...record, additionalProperties: true }), 'A additionalProperties'],
    ['narrower by a new word', log({ ...record, maxProperties: 2 }), 'A maxProperties'],
  ])('may not become %s', (_what, today, at) => {
    expect(breaksOf(released, today)).toContain(at);
  });
});
