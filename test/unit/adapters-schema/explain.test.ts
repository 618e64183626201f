import { describe, expect, it } from 'vitest';
import { compileSchemas } from '../../../services/adapters/schema/compile.ts';
import { withoutNoise } from '../../../services/adapters/schema/explain/without-noise.ts';
import { loadSchemas } from '../../../services/adapters/schema/load-schemas.ts';
import { locationsBody } from '../../support/edge.ts';

const SAMPLE = {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: ['red', 'blue'] },
    mode: { const: 'fast' },
    when: { type: 'string', format: 'date-time' },
    id: { type: ['string', 'integer'] },
    'a/b~c': { type: 'number' },
    code: { type: 'string', pattern: '^[0-9]+$' },
  },
};
const sampleOf = (title: string) => (title === 'Sample' ? SAMPLE : undefined);
const schemas = compileSchemas(sampleOf, { listedFaultsMax: 3, explainedNodesMax: 10 });

function messagesOf(value: unknown): string[] {
  const faults = schemas.checkOf('Sample')(value)?.().errors ?? [];
  return faults.map(({ pointer, message }) => `${pointer} ${message}`);
}

describe('explaining a fault', () => {
  it.each([
    [{ kind: 'green' }, '/kind must be one of "red", "blue", and is "green".'],
    [{ kind: 'Red' }, '/kind must be one of "red", "blue", and is "Red": did you mean "red"?'],
    [{ kind: '+55 11 99999' }, '/kind must be one of "red", "blue".'],
    [{ kind: 'red', mode: 'slow' }, '/mode must be "fast", and is "slow".'],
    [{ kind: 'red', id: 1.5 }, '/id must be a string or an integer, not a number with a fraction.'],
    [{ kind: 'red', other: 1 }, '/other is not a field of this object.'],
    [{ kind: 'red', wehn: 1 }, '/wehn is not a field of this object: did you mean when?'],
    [{ kind: 'red', 'a/b~c': 'x' }, '/a~1b~0c must be a number, not a string.'],
    [{ kind: 'red', code: 'x' }, '/code must have the form that the interface gives.'],
    [{}, '/kind is mandatory: one of "red", "blue".'],
    [5, ' must be an object, not a number.'],
  ])('of %j says "%s"', (value, sentence) => {
    expect(messagesOf(value)).toEqual([sentence]);
  });

  it('[DLV-03] [DLV-04] names what a branch of a choice lacks, never the choice itself', () => {
    const body = { locations: [{ timestamp: 1_764_000_000, latitude: 1, longitude: 1 }] };
    const { errors = [] } = loadSchemas().checkOf('DeliveryLocationsBody')(body)?.() ?? {};
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/locations/0/device required', '/locations/0/traceables required',
      '/post_timestamp required',
    ]);
  });

  it('[GEN-25] names a good date-time', () => {
    expect(messagesOf({ kind: 'red', when: '2026-02-30T00:00:00Z' })[0]).toContain('2025-01-31T');
  });

  it('lists no more than it may, and one fault for a place', () => {
    expect(messagesOf({ kind: 5, mode: 1, when: 2, id: null })).toHaveLength(3);
    expect(messagesOf({ kind: 5 })).toEqual(['/kind must be a string, not a number: put it in quotes.']);
  });

  it('names only the first fault of a value that is hostile by its size', () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`x${at}`, at]));
    expect(messagesOf({ kind: 'red', ...many })).toHaveLength(1);
  });

  it('stays cheap for a body of a mebibyte that is wrong everywhere', () => {
    const check = loadSchemas().checkOf('LocationsBody');
    const ones = Array.from({ length: 500_000 }, () => 1);
    const [fix] = locationsBody().locations;
    const bodies = [
      { ...locationsBody(), locations: ones },
      { ...locationsBody(), locations: [{ ...fix, metadata: ones }] },
      { ...locationsBody(), locations: Array.from({ length: 1_000 }, () => ones.slice(0, 400)) },
    ];
    for (const body of bodies) {
      const errors = check(body)?.().errors ?? [];
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.length).toBeLessThanOrEqual(50);
    }
  });

  it('does not know schemas that are not there', () => {
    expect(() => schemas.checkOf('constructor')).toThrow('no schema with the title constructor');
  });

  it('refuses at boot a schema with an unknown word in it', () => {
    const broken = compileSchemas(() => ({ type: 'object', requird: ['a'] }));
    expect(() => broken.checkOf('Broken')).toThrow(/unknown keyword/);
  });

  it('looks at each error a few times, however many choices a body is wrong in', () => {
    const choices = 600;
    let reads = 0;
    const error = (nth: number, branch?: number) => ({
      keyword: branch === undefined ? 'anyOf' : 'type', params: { type: 'string' },
      instancePath: `/ids/${nth}`,
      get schemaPath() {
        reads += 1;
        return `#/items/anyOf${branch === undefined ? '' : `/${branch}/type`}`;
      },
    });
    const errors = Array.from({ length: choices }, (_, nth) => (
      [error(nth, 0), error(nth, 1), error(nth)])).flat();
    expect(withoutNoise(errors as never)).toHaveLength(choices);
    expect(reads).toBeLessThan(10 * errors.length);
  });
});
