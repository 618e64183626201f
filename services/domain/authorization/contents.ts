import type { AuthorizationContents } from '../../kernel/authorizations.ts';
import type { Fields } from '../../kernel/json-fields.ts';
import { isFields } from '../../kernel/json-fields.ts';
import { shipmentSubject, type SubjectKeys } from '../../kernel/personal.ts';
import type { TrackingNumber } from '../../kernel/ids.ts';
import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';

/** Its members are compared one by one: they are what a carrier works with. */
const DIVIDED = 'shipment_information';
const PARTS_MAX = 64;

/**
 * Keyed hashes of the parts of a request, under the key of its shipment: two requests can be
 * compared without opening one. Undefined when whom it is about was erased.
 */
export function contentsOf(
  keys: Pick<SubjectKeys, 'seal'>, trackingNumber: TrackingNumber, request: AuthorizationRequest,
): AuthorizationContents | undefined {
  const subject = shipmentSubject(trackingNumber);
  const parts: { readonly pointer: string; readonly mac: string }[] = [];
  let key: string | undefined;
  for (const [pointer, value] of partsOf(request)) {
    const sealed = keys.seal('ShipmentAuthorized', subject, { [pointer]: value });
    if (sealed === undefined) return undefined;
    key = sealed.key;
    parts.push({ pointer, mac: sealed.mac });
  }
  return key === undefined ? undefined : { key, parts };
}

/** Pointers of what differs; nothing when the two cannot be compared. */
export function changedParts(
  kept: AuthorizationContents | undefined, asked: AuthorizationContents | undefined,
): readonly string[] {
  if (kept === undefined || kept.key !== asked?.key) return [];
  const [before, after] = [macsOf(kept), macsOf(asked)];
  const pointers = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return pointers.filter((pointer) => before.get(pointer) !== after.get(pointer));
}

function macsOf({ parts }: AuthorizationContents): ReadonlyMap<string, string> {
  return new Map(parts.map(({ pointer, mac }) => [pointer, mac]));
}

/** The interface takes an id as number or as text, and means the same by both. */
function partsOf(request: AuthorizationRequest): readonly (readonly [string, unknown])[] {
  const { id, ...others } = request as AuthorizationRequest & Fields;
  const parts = Object.entries(others).flatMap(([name, value]) => (
    name === DIVIDED && isFields(value)
      ? Object.entries(value).map(([part, each]) => [`/${name}/${part}`, each] as const)
      : [[`/${name}`, value] as const]
  ));
  const all = [['/id', String(id)] as const, ...parts].filter(([, value]) => value !== undefined);
  const named = all.slice(0, PARTS_MAX - 1);
  const rest = all.slice(PARTS_MAX - 1);
  return rest.length === 0 ? named : [...named, ['/*', rest]];
}
