import { describe, expect, it } from 'vitest';
import base from '../../../schemas/data/notification-codes.json' with { type: 'json' };
import example from '../../../schemas/data/notification-codes.example.json' with { type: 'json' };
import { bundleOf } from '../../../schemas/bundles.ts';
import { FINAL_STATUSES, meaningOf } from '../../../services/domain/journey/catalogue.ts';
import { readCatalogue } from '../../../services/domain/journey/read-catalogue.ts';
import { CATALOGUE } from '../../support/journeys.ts';

const NAMED = [
  '0114', '0133', 'CBT-0133', 'CBT-0201', 'CBT-0215', 'CBT-0260', 'CBT-0265', 'CBT-0270',
  'CBT-0272', 'CBT-0283',
];
const own = (codes: unknown) => readCatalogue(base, { version: 'mine', codes });

describe('The catalogue of codes', () => {
  it('[NOT-33] states of the ten codes of the interface two names and the mandatory fields', () => {
    const { codes, version } = readCatalogue(base, undefined);
    expect(version).toBe('interface-1');
    expect([...codes.keys()]).toEqual(NAMED);
    for (const [code, row] of codes) {
      const name = { '0114': 'Proximity', 'CBT-0272': 'Consolidation' }[code];
      expect([code, row]).toMatchObject([code, {
        name, status: undefined, final: false, origin: 'interface',
      }]);
      expect(row.required.length).toBeGreaterThan(0);
    }
  });

  it('[NOT-33] asks for exactly the fields that the schema of a notification asks for', () => {
    const asked = new Map(NAMED.map((code) => [code, fieldsAskedFor(code)]));
    const { codes } = readCatalogue(base, undefined);
    for (const code of NAMED) {
      const stated = codes.get(code)?.required ?? [];
      expect([...asked.get(code) ?? []].sort()).toEqual([...stated].sort());
    }
  });

  it('[NOT-35] makes every code with one of the canonical end statuses final', () => {
    const statuses = ['delivered', 'returned', 'cancelled', 'lost_or_destroyed'];
    expect(FINAL_STATUSES).toEqual(statuses);
    const { codes } = own(Object.fromEntries(statuses.map((status) => [status, { status }])));
    for (const status of statuses) expect(codes.get(status)?.final).toBe(true);
  });

  it('[NOT-35] takes finality from configuration', () => {
    const catalogue = own({ 0: { status: 'parked', final: true }, 1: { status: 'parked' } });
    expect(meaningOf(catalogue, 'c', '0', 'x').final).toBe(true);
    expect(meaningOf(catalogue, 'c', '1', 'x').final).toBe(false);
  });

  it('[NOT-41] knows the mapping of the sandbox for an example', () => {
    expect(example.example).toBe(true);
    expect(example.description).toMatch(/^EXAMPLE/);
    expect(CATALOGUE.codes.get('EX-DELIVERED')?.origin).toBe('example');
    expect(CATALOGUE.version).toContain('example');
  });

  it.each([
    [{ A: { status: 'delivered', final: false } }, /always final/],
    [{ A: { status: 'Not A Status' } }, /status must match/],
    [{ A: { final: 'yes' } }, /no boolean/],
    [{ A: { required: ['/payload/reason'] } }, /only the interface/],
    [{ A: { name: 7 } }, /name must be a text/],
    [[], /codes must be an object/],
  ])('refuses a file that says %j', (codes, fault) => {
    expect(() => own(codes)).toThrow(fault);
  });
});

type Json = Readonly<Record<string, unknown>>;

/** What the conditions of the schema make mandatory below payload for one code. */
function fieldsAskedFor(code: string): Set<string> {
  const found = new Set<string>();
  const body = bundleOf('NotificationsBody') as { oneOf: readonly { allOf: readonly Json[] }[] };
  // Without a condition it holds for every code: what a proof of delivery must have.
  const conditions = body.oneOf[0]?.allOf.filter((each) => each['if'] !== undefined) ?? [];
  for (const condition of conditions) {
    const asked = (condition['if'] as { properties: { code: Json } }).properties.code;
    const fits = (asked['enum'] as string[] | undefined)?.includes(code)
      ?? new RegExp(String(asked['pattern'])).test(code);
    if (fits) leaves(condition['then'] as Json, '', found);
  }
  return found;
}

function leaves(schema: Json, at: string, found: Set<string>): void {
  for (const [name, child] of Object.entries((schema['properties'] ?? {}) as Json)) {
    if (typeof child === 'object' && child !== null) leaves(child as Json, `${at}/${name}`, found);
    else found.add(`${at}/${name}`);
  }
}
