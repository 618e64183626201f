import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import { canonicalNumber } from '../../../services/domain/journey/canonical-number.ts';
import { storedRequest, storedText } from '../../../services/domain/authorization/stored-texts.ts';
import { parseExact, sortedJson } from '../../../services/kernel/exact-json.ts';
import { longOf, type Long } from '../../../services/kernel/longs.ts';
import type { StoredRecord } from './edge.ts';
import { missingLeaf } from './leaves.ts';
import { withLongsAsText } from './tokens.ts';

type Fields = Readonly<Record<string, unknown>>;
type Keeping = (json: string, stored: readonly StoredRecord[]) => string | undefined;

/**
 * What each operation promises to put into the log of a body that it accepts: the same bytes (as
 * `JSON.stringify` writes them), the same value at the same place, or what it knows of it.
 */
const KEEPING: Readonly<Record<string, Keeping>> = {
  'send-locations': sameBytes,
  'send-telemetry-events': sameBytes,
  'send-deferred-events': sameBytes,
  'send-delivery-locations': normalizedPlaces,
  'send-command': (json, stored) => oneRecord(stored, ({ json: kept }) => {
    const { body } = JSON.parse(kept) as { readonly body: unknown };
    return JSON.stringify(body) === JSON.stringify(JSON.parse(json))
      ? undefined : 'and changed the command';
  }),
  'push-notifications': eachNotification,
  // The contract has the texts of an authorization cut to what a carrier stores, and no others.
  'authorize-shipment': (json, stored) => oneRecord(stored, (record) => (
    lost({
      request: storedRequest(JSON.parse(withLongsAsText(json)) as AuthorizationRequest, json),
    }, record)
  )),
  'decide-overflow': (json, stored) => {
    const { subject, state, reason } = JSON.parse(json) as Fields;
    const [audit, decision] = stored;
    return audit === undefined || decision === undefined
      ? `and left ${stored.length} records`
      : lost({ subject, reason }, audit) ?? lost({ state, reason }, decision);
  },
  'send-authorization': (json, stored) => oneRecord(stored, (record) => (
    lost({ request: JSON.parse(json) as Fields }, record)
  )),
  'resend-authorization': (json, stored) => oneRecord(stored, (record) => {
    const { request } = JSON.parse(json) as Fields;
    return request === undefined ? undefined : lost({ request }, record);
  }),
  'cancel-shipment': (json, stored) => oneRecord(stored, (record) => {
    const { id, transport_order_id, reason } = JSON.parse(json) as Fields;
    return lost({
      shipment_id: String(id),
      transport_order_id,
      ...(typeof reason === 'string' ? { reason: storedText('reason', reason) } : {}),
    }, record);
  }),
  'register-device': (json, stored) => oneRecord(stored, (record) => (
    lost(knownOfDevice(JSON.parse(withLongsAsText(json)) as Fields), record)
  )),
  'issue-token': (json, stored) => oneRecord(stored, (record) => (
    lost({ audience: (JSON.parse(json) as Fields)['audience'] }, record)
  )),
};

/** What an operation did not keep of a body that it accepted, in words; undefined when it did. */
export function keepingFault(
  id: string, json: string, stored: readonly StoredRecord[],
): string | undefined {
  const keeping = KEEPING[id];
  if (keeping === undefined) throw new Error(`kept.ts does not say what ${id} keeps of a body.`);
  return keeping(json, stored);
}

function sameBytes(json: string, stored: readonly StoredRecord[]): string | undefined {
  return oneRecord(stored, (record) => (
    record.json === JSON.stringify(JSON.parse(json)) ? undefined : 'and changed the body'
  ));
}

/** `device` and `traceables` may stand once above all locations instead of in each of them. */
function normalizedPlaces(json: string, stored: readonly StoredRecord[]): string | undefined {
  return oneRecord(stored, (record) => {
    const [body, kept] = [json, record.json].map((text) => spread(JSON.parse(text) as Fields));
    return sortedJson(body) === sortedJson(kept) ? undefined : 'and changed the body';
  });
}

/**
 * Each location with whom and what it speaks of, wherever that is said: a device is its two ids,
 * traceables are a set of such. What has more than two fields must also stay where it was.
 */
function spread({ device, traceables, locations, ...rest }: Fields): unknown {
  const more = (value: unknown): unknown => (
    [value].flat().some((each) => Object.keys(each as Fields | undefined ?? {}).length > 2)
      ? value : undefined
  );
  return {
    ...rest,
    more: [more(device), more(traceables)],
    locations: (locations as readonly Fields[]).map((
      { device: own, traceables: all, ...point },
    ) => ({
      ...point,
      more: [more(own), more(all)],
      device: idsOf(own ?? device, ['external_id', 'external_type']),
      traceables: [...new Set(idsOf(all ?? traceables, ['id', 'type']))].sort(),
    })),
  };
}

function idsOf(value: unknown, names: readonly string[]): readonly string[] {
  return [value].flat().map((each) => (
    JSON.stringify(names.map((name) => (each as Fields | undefined)?.[name]))
  ));
}

/** Notifications of one shipment are in the log in the order of the body. */
function eachNotification(json: string, stored: readonly StoredRecord[]): string | undefined {
  const sent = parseExact(json);
  const list: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  if (list.length !== stored.length) return `and left ${stored.length} records of ${list.length}`;
  const left = Map.groupBy(stored, ({ key }) => key);
  for (const notification of list) {
    const { tracking_number: number } = notification as { readonly tracking_number: string };
    const record = left.get(canonicalNumber(number))?.shift();
    if (record === undefined) return `and left too few records of ${number.slice(0, 200)}`;
    const fault = lost({ notification }, record);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function knownOfDevice(body: Fields): Fields {
  const { entity_type, entity_id } = body['external_entity'] as Fields;
  const specs = body['device_specs'] as Fields | undefined;
  const known = ['device_type', 'brand', 'model', 'equipment_id']
    .filter((name) => specs?.[name] !== undefined)
    .map((name) => [name, specs?.[name]]);
  return {
    entity_type, entity_id,
    transport_id: longOf((body['transport'] as Fields)['id'] as Long),
    ...(known.length === 0 ? {} : { device_specs: Object.fromEntries(known) as Fields }),
  };
}

/** The place of a leaf that a record has neither in clear nor sealed. */
function lost(wanted: Fields, { json, opened }: StoredRecord): string | undefined {
  const place = missingLeaf(wanted, [parseExact(json), opened]);
  return place === undefined ? undefined : `and did not keep ${place.slice(0, 200)}`;
}

function oneRecord(
  stored: readonly StoredRecord[], check: (record: StoredRecord) => string | undefined,
): string | undefined {
  const [record] = stored;
  if (record === undefined || stored.length > 1) return `and left ${stored.length} records`;
  return check(record);
}
