import { describe, expect, it } from 'vitest';
import { bundleOf } from '../../../schemas/bundles.ts';
import { PERSONAL_RECORDS } from '../../../services/domain/personal/registry.ts';
import { joinPersonal, splitPersonal } from '../../../services/domain/personal/split.ts';
import { parseExact, sortedJson } from '../../../services/kernel/exact-json.ts';
import type { SealedType } from '../../../services/kernel/personal.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [word: string]: unknown;
}

/** Every member that a schema names, as the registry writes it. */
function leavesOf(schema: Schema, path: string): readonly string[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties)
      .flatMap(([name, member]) => leavesOf(member, `${path}.${name}`));
  }
  return schema.items === undefined ? [path] : leavesOf(schema.items, `${path}[]`);
}

const { properties: recorded } = bundleOf('NotificationRecorded') as Schema;
const SCHEMAS: readonly (readonly [SealedType, string, Schema])[] = [
  ['NotificationRecorded', 'notification', recorded?.['notification'] ?? {}],
  ['ShipmentAuthorized', 'request', bundleOf('AuthorizationRequest')],
  ['AuthorizationAsked', 'request', bundleOf('AuthorizationRequest')],
];

describe('The registry of personal data', () => {
  it.each(SCHEMAS)('says of every member of %s whether it is personal, once', (type, name, schema) => {
    const { clear, personal } = PERSONAL_RECORDS[type];
    const isPersonal = (path: string) => personal.some((row) => (
      path === row.path || path.startsWith(`${row.path}.`)
    ));
    // A picture is cut out before, and kept apart under a key of its own.
    const apart = 'notification.payload.proof_of_delivery.image';
    const leaves = leavesOf(schema, name).filter((path) => path !== apart);
    expect(leaves.filter((path) => clear.includes(path) === isPersonal(path))).toEqual([]);
    expect(clear.filter((path) => !leaves.includes(path))).toEqual([]);
    expect(personal.map(({ path }) => path)
      .filter((path) => !leaves.some((leaf) => leaf === path || leaf.startsWith(`${path}.`))))
      .toEqual([]);
  });
});

describe('A record in two parts', () => {
  const notificationOf = (text: string) => ({ notification: parseExact(text) });

  it('keeps in clear only what is named, and puts everything together again', () => {
    const members = notificationOf(`{"tracking_number":"RST1","code":"A","carrier_code":"a","constructor":"no",
      "payload":{"date":"2026-11-20T10:15:00Z","cost":1.10,"comment":"ring twice","extra":null,
      "driver":{"name":"Rui","other":{"deep":[1]}},"dimensions":{"weight":1500.0,"mood":"x"},
      "consolidated_packages":{"shipments":[1,"2",{"name":"Ana"}]},
      "location":{"city_name":"São Paulo","geolocation":{"latitude":-23.5500}}}}`);
    const { clear, personal } = splitPersonal('NotificationRecorded', members);
    expect(JSON.stringify(clear)).toBe(JSON.stringify(notificationOf(`{"tracking_number":"RST1","code":"A",
      "carrier_code":"a","payload":{"date":"2026-11-20T10:15:00Z","cost":1.10,
      "dimensions":{"weight":1500.0},"consolidated_packages":{"shipments":[1,"2",null]},
      "location":{"city_name":"São Paulo"}}}`)));
    expect(sortedJson(joinPersonal(clear, personal))).toBe(sortedJson(members));
    expect(sortedJson(joinPersonal(clear, parseExact(JSON.stringify(personal)))))
      .toBe(sortedJson(members));
  });

  it('is one part when nothing is personal', () => {
    const members = notificationOf('{"code":"A","payload":{"date":"2026-11-20T10:15:00Z"}}');
    expect(splitPersonal('NotificationRecorded', members)).toEqual({ clear: members });
  });

  it('takes no name for more than a name', () => {
    const members = notificationOf('{"__proto__":{"code":"X"},"code":"A","payload":{"__proto__":{"a":1}}}');
    const { clear, personal } = splitPersonal('NotificationRecorded', members);
    expect(JSON.stringify(clear)).toBe('{"notification":{"code":"A","payload":{}}}');
    expect(sortedJson(joinPersonal(clear, personal))).toBe(sortedJson(members));
  });

  it('does not leave in clear what stands where a text is expected', () => {
    const members = notificationOf('{"code":{"name":"Ana"},"payload":"Ana"}');
    expect(JSON.stringify(splitPersonal('NotificationRecorded', members).clear))
      .not.toContain('Ana');
  });
});
