import { describe, expect, it } from 'vitest';
import base from '../../../schemas/data/notification-codes.json' with { type: 'json' };
import sample from '../../../schemas/data/notification-codes.sample.json' with { type: 'json' };
import { bundleOf } from '../../../schemas/bundles.ts';
import {
  catalogueAt, FINAL_STATUSES, finalCodesOf, meaningOf, type CodeCatalogue,
} from '../../../services/domain/journey/catalogue.ts';
import { decideJourney } from '../../../services/domain/journey/journey.ts';
import { cataloguesOf } from '../../../services/domain/journey/read-catalogue.ts';
import type { NotificationCodesRecorded } from '../../../services/kernel/notification-codes.ts';
import { CATALOGUE, catalogueOf, received } from '../../support/journeys.ts';

const NAMED = [
  '0114', '0133', 'CBT-0133', 'CBT-0201', 'CBT-0215', 'CBT-0260', 'CBT-0265', 'CBT-0270',
  'CBT-0272', 'CBT-0283',
];
const own = (codes: NotificationCodesRecorded['codes']): CodeCatalogue => catalogueOf({ codes });

describe('The catalogue of codes', () => {
  it('[NOT-33] states of the ten codes of the interface two names and the mandatory fields', () => {
    const [{ codes, version }] = cataloguesOf(base, []);
    expect(version).toBe('interface-1');
    expect([...codes.keys()]).toEqual(NAMED);
    const names = new Map([['0114', 'Proximity'], ['CBT-0272', 'Consolidation']]);
    for (const [code, row] of codes) {
      expect([code, row]).toMatchObject([code, {
        description: names.get(code), status: undefined, final: false, origin: 'interface',
      }]);
      expect(row.required.length).toBeGreaterThan(0);
    }
  });

  it('[NOT-33] asks for exactly the fields that the schema of a notification asks for', () => {
    const asked = new Map(NAMED.map((code) => [code, fieldsAskedFor(code)]));
    const [{ codes }] = cataloguesOf(base, []);
    for (const code of NAMED) {
      const stated = codes.get(code)?.required ?? [];
      expect([...asked.get(code) ?? []].sort()).toEqual([...stated].sort());
    }
  });

  it('[NOT-35] makes every code with one of the canonical end statuses final', () => {
    const statuses = ['delivered', 'returned', 'cancelled', 'lost_or_destroyed'];
    expect(FINAL_STATUSES).toEqual(statuses);
    const catalogue = own(Object.fromEntries(statuses.map((status) => [status, { status }])));
    for (const status of statuses) expect(catalogue.codes.get(status)?.final).toBe(true);
    expect(finalCodesOf(catalogue)).toBe(4);
  });

  it('[NOT-35] takes finality from what was imported', () => {
    const catalogue = own({ 0: { status: 'parked', final: true }, 1: { status: 'parked' } });
    expect(meaningOf(catalogue, 'c', '0', 'x').final).toBe(true);
    expect(meaningOf(catalogue, 'c', '1', 'x').final).toBe(false);
  });

  it('[NOT-41] knows the sample of the sandbox for a sample', () => {
    expect(sample.sample).toBe(true);
    expect(sample.about).toMatch(/^SAMPLE/);
    expect(CATALOGUE.codes.get('EX-DELIVERED')?.origin).toBe('sample');
    expect(NAMED.filter((code) => CATALOGUE.codes.get(code)?.status === undefined)).toEqual([]);
    expect(finalCodesOf(CATALOGUE)).toBeGreaterThan(0);
  });

  it('[NOT-49] holds for what is received from its first validity on, and not before', () => {
    const recorded = (valid_from_ms: number, status: string): NotificationCodesRecorded => ({
      type: 'NotificationCodesRecorded', codes_id: status, name: status, valid_from_ms, at_ms: 1, lead_ms: 50,
      codes: { A: { status } },
    });
    const versions = cataloguesOf(base, [
      { version: 1, recorded: recorded(100, 'first'), appendedAtMs: 1 },
      { version: 2, recorded: recorded(300, 'second'), appendedAtMs: 2 },
      // It was appended so late that it begins to hold later than it says.
      { version: 3, recorded: recorded(120, 'third'), appendedAtMs: 150 },
    ]);
    const at = (ms: number): string => catalogueAt(versions, ms).version;
    expect([0, 99, 100, 199, 200, 300].map(at)).toEqual([
      'interface-1', 'interface-1', 'interface-1+1', 'interface-1+1', 'interface-1+3',
      'interface-1+3',
    ]);
  });

  it('[NOT-49] says what a notification lacks that the deployment wants, and takes it', () => {
    const catalogue = own({
      A: { status: 'x', required: ['/payload/location/facility'], country_required: true },
    });
    const lacking = (payload: unknown): readonly string[] | undefined =>
      decideJourney(catalogue, undefined, received(1, 'A', 1, { payload })).lacks;
    expect(lacking({})).toEqual(['/payload/location/facility', '/payload/location/country_id']);
    expect(lacking({ location: { facility: 'F', country_id: 'BR' } })).toBeUndefined();
    expect(decideJourney(catalogue, undefined, received(1, 'A', 1)).outcome).toBe('applied');
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
