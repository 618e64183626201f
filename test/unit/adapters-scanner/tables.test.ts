import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../schemas/bundles.ts';
import { createScanner } from '../../../services/adapters/scanner/create-scanner.ts';
import { openScanner } from '../../../services/adapters/scanner/open-scanner.ts';
import type { ScannedSchema } from '../../../services/adapters/scanner/tables.ts';

const BINARY = readFileSync(
  new URL('../../../services/adapters/scanner/scanner.wasm', import.meta.url),
);
const REPORTED = { text: 'id', list: 'items' };
const GOOD = {
  type: 'object',
  required: ['id', 'items'],
  properties: {
    id: { type: 'string' },
    items: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
  },
};

const open = (schema: ScannedSchema): ReturnType<typeof createScanner> =>
  createScanner(BINARY, schema, REPORTED);
const withMember = (member: unknown): ScannedSchema =>
  ({ ...GOOD, properties: { ...GOOD.properties, other: member } });

describe('the tables of the scanner', () => {
  it('are made of any schema whose words it knows', () => {
    expect(open(GOOD)(Buffer.from('{"id":"a","items":[{"n":-1.5},{}]}')))
      .toMatchObject({ deviceId: 'a', items: 2 });
    expect(open(GOOD)(Buffer.from('{"id":"a"}'))).toBeUndefined();
  });

  it('follow the limits of the schema', () => {
    const scan = open(withMember({ type: 'integer', minimum: -3, maximum: 4 }));
    const taken = (other: number): boolean =>
      scan(Buffer.from(`{"id":"a","items":[],"other":${other}}`)) !== undefined;
    expect([-4, -3, 4, 5].map(taken)).toEqual([false, true, true, false]);
  });

  it('keep names apart up to the longest, which has 29 bytes', () => {
    const [long, other] = ['n'.repeat(29), `${'n'.repeat(28)}m`];
    const scan = open({ ...GOOD, properties: { ...GOOD.properties, [long]: { type: 'number' } } });
    const taken = (name: string): boolean =>
      scan(Buffer.from(`{"id":"a","items":[],"${name}":1}`)) !== undefined;
    expect([long, other, 'n'.repeat(28), 'n'.repeat(30)].map(taken))
      .toEqual([true, false, false, false]);
  });

  it.each([
    ['another word', withMember({ type: 'number', multipleOf: 2 })],
    ['a choice of types', withMember({ type: ['number', 'null'] })],
    ['no type', withMember({ enum: [1] })],
    ['another pattern', withMember({ type: 'string', pattern: '^[a-z]+$' })],
    ['a length beside a pattern', withMember({ type: 'string', pattern: '^[A-Za-z]{2,3}$', maxLength: 2 })],
    ['a list of anything', withMember({ type: 'array' })],
    ['an object of anything', withMember({ type: 'object' })],
    ['a condition', { ...GOOD, allOf: [] }],
    ['a "not" that it cannot keep', { ...GOOD, not: { required: ['id'] } }],
    ['a required member that is not described', { ...GOOD, required: ['id', 'items', 'x'] }],
    ['a text to report that may be missing', { ...GOOD, required: ['items'] }],
    ['a body that is no object', { type: 'array', items: { type: 'number' } }],
    ['a name that is too long', {
      ...GOOD, properties: { ...GOOD.properties, ['n'.repeat(30)]: { type: 'number' } },
    }],
    ['too many members', {
      ...GOOD, properties: {
        ...GOOD.properties,
        ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`n${i}`, { type: 'number' }])),
      },
    }],
  ])('are not made of a schema with %s', (_title, schema) => {
    expect(() => open(schema)).toThrow();
  });

  it('are not made of a schema that there is not, nor of one that says too much', () => {
    expect(() => openScanner('Nothing', REPORTED)).toThrow('no schema with the title Nothing');
    expect(bundleOf('DeliveryLocationsBody')).toHaveProperty('title');
    expect(() => openScanner('DeliveryLocationsBody', REPORTED)).toThrow('allOf');
  });
});
