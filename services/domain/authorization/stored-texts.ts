import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import { isWrittenNumber, parseExact, withoutNulls } from '../../kernel/exact-json.ts';

/** Characters of a text that has no length of its own here, also of unknown fields. */
export const STORED_CHARACTERS_MAX = 2_048;

/**
 * Characters that a carrier stores of a field, by its name. The platform sends texts of any length
 * (interface, Authorization request); what is longer is cut, never refused. `id` and
 * `transport_order_id` at the root identify and are therefore refused instead, by their schema.
 */
export const STORED_LENGTHS: Readonly<Record<string, number>> = {
  id: 255,
  transport_order_id: 255,
  keyword: 255,
  contract: 255,
  full_name: 255,
  first_name: 255,
  last_name: 255,
  number: 64,
  type: 64,
  street_name: 255,
  street_number: 64,
  intersection: 255,
  address_line: 512,
  comment: 2_048,
  zip_code: 64,
  name: 255,
  facility_id: 255,
  source: 255,
  item_id: 255,
  description: 2_048,
  special_treatments: 255,
  affinity_group: 255,
  delivery_strategy: 255,
  location_id: 255,
  types: 255,
  external_id: 255,
  phone: 64,
  reason: 2_048,
};

/**
 * The request as it is stored: every text at most as long as its field may be, and every number
 * with the digits that it has in the body, of which a number of the language keeps only so many.
 */
export function storedRequest(
  { id, transport_order_id }: AuthorizationRequest, body: string,
): AuthorizationRequest {
  const stored = storedValue(withoutNulls(parseExact(body)), '') as AuthorizationRequest;
  return { ...stored, id, transport_order_id };
}

/** One text as it is stored, by the name of its field. Never cuts a character in half. */
export function storedText(name: string, text: string): string {
  const lengthMax = Object.hasOwn(STORED_LENGTHS, name)
    ? STORED_LENGTHS[name] ?? STORED_CHARACTERS_MAX
    : STORED_CHARACTERS_MAX;
  if (text.length <= lengthMax) return text;
  const last = text.charCodeAt(lengthMax - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? lengthMax - 1 : lengthMax);
}

/** Items of a list use the name of the list. Depth is bounded by the reader of the body. */
function storedValue(value: unknown, name: string): unknown {
  if (typeof value === 'string') return storedText(name, value);
  if (Array.isArray(value)) return value.map((item) => storedValue(item, name));
  if (typeof value !== 'object' || value === null || isWrittenNumber(value)) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, storedValue(child, key)]);
  return Object.fromEntries(entries);
}
