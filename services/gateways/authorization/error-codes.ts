import type { Code } from '../../kernel/codes.ts';

/** One row: where in the body, which `error_code`, and what it means. */
export interface ErrorCodeRow {
  /** JSON pointer of the field that everything below it belongs to; empty for the whole body. */
  readonly pointer: string;
  readonly error_code: string;
  readonly meaning: string;
}

const row = (pointer: string, error_code: string, meaning: string): ErrorCodeRow =>
  ({ pointer, error_code, meaning });

const USERS = [['receiver', 'buyer'], ['sender', 'seller']] as const;

/**
 * Every `error_code` about a field of the body, `<object>` being what is wrong and `<part>` where.
 * The longest pointer that leads to the fault decides. Buyer and seller as for `forward`.
 */
export const FIELD_ERROR_CODES: readonly ErrorCodeRow[] = [
  row('', 'invalid_request_information.form', 'The body is not of the form of this request.'),
  row('/id', 'invalid_shipment_information.id',
    'The shipment id is missing, malformed, not that of the path, or not known.'),
  row('/transport_order_id', 'invalid_shipment_information.transport_order_id',
    'The transport order id is missing or malformed.'),
  row('/direction', 'invalid_shipment_information.direction', 'Not forward or return.'),
  row('/test', 'invalid_shipment_information.test', 'Not true or false.'),
  row('/keyword', 'invalid_shipment_information.keyword', 'Not a text.'),
  row('/reason', 'invalid_cancellation_information.reason', 'Not a text.'),
  row('/carrier_information', 'invalid_carrier_information.form', 'Not an object.'),
  row('/carrier_information/contract', 'invalid_carrier_information.contract', 'Not a text.'),
  row('/carrier_information/agency', 'invalid_carrier_information.agency',
    'The agency is malformed, or missing although the contract needs one.'),
  row('/shipment_information', 'invalid_shipment_information.form', 'Not an object.'),
  ...USERS.flatMap(([side, part]) => [
    row(`/shipment_information/${side}`, `invalid_user_information.${part}`,
      `The ${side} or one of its names is missing or malformed.`),
    row(`/shipment_information/${side}/phone`, `invalid_phone_information.${part}`,
      `The phone of the ${side} is missing or not digits only.`),
    row(`/shipment_information/${side}/identification`,
      `invalid_identification_information.${part}`,
      `The identification of the ${side} lacks type or number.`),
    row(`/shipment_information/${side}/address`, `invalid_address_information.${part}`,
      `The address of the ${side} is missing or malformed.`),
    row(`/shipment_information/${side}/address/zip_code`, `invalid_zip_code_information.${part}`,
      `The address of the ${side} lacks the postal code that its country needs.`),
    row(`/shipment_information/${side}/address/geolocation`,
      `invalid_geolocation_information.${part}`,
      `The coordinates of the ${side} are incomplete or out of range.`),
  ]),
  row('/shipment_information/package', 'invalid_package_information.package',
    'The package is missing or malformed.'),
  row('/shipment_information/package/items', 'invalid_package_information.items',
    'The items are missing, empty or malformed.'),
  row('/shipment_information/package/dimensions', 'invalid_package_information.dimensions',
    'A dimension or the weight is missing or not a number.'),
  row('/shipment_information/package/amount', 'invalid_package_information.amount',
    'The value is missing or not a number.'),
  row('/requirements', 'invalid_requirements_information.form', 'Not an object.'),
  row('/requirements/special_treatments', 'invalid_requirements_information.special_treatments',
    'Not a list of texts.'),
  row('/requirements/pickup', 'invalid_requirements_information.pickup',
    'What the pickup needs is malformed.'),
  row('/requirements/delivery', 'invalid_requirements_information.delivery',
    'What the delivery needs is malformed.'),
];

/** Every `error_code` about a call as a whole, by our own code. */
export const CALL_ERROR_CODES: Readonly<Partial<Record<Code, string>>> = {
  malformed_json: 'invalid_request_information.json',
  invalid_encoding: 'invalid_request_information.encoding',
  duplicate_key: 'invalid_request_information.duplicate_key',
  too_deep: 'invalid_request_information.depth',
  number_out_of_range: 'invalid_request_information.number',
  reserved_name: 'invalid_request_information.reserved_name',
  payload_too_large: 'invalid_request_information.size',
  unsupported_media_type: 'invalid_request_information.content_type',
  malformed_body: 'invalid_request_information.body',
  missing_parameter: 'invalid_request_information.parameter',
  invalid_parameter: 'invalid_request_information.parameter',
  duplicate_header: 'invalid_request_information.header',
};

/** What a caller without the right token gets (decisions.md, Missing or bad token). */
export const DENIAL_ERROR_CODES = { unauthorized: 'unauthorized', forbidden: 'forbidden' } as const;

/** The code of a faulty field. For `return` the buyer sends and the seller receives. */
export function fieldErrorCode(pointer: string, isReturn: boolean): string {
  const known = isReturn ? mirrored(pointer) : pointer;
  let best = FIELD_ERROR_CODES[0];
  for (const candidate of FIELD_ERROR_CODES) {
    const leads = known === candidate.pointer || known.startsWith(`${candidate.pointer}/`);
    if (leads && candidate.pointer.length > (best?.pointer.length ?? 0)) best = candidate;
  }
  return best?.error_code ?? '';
}

function mirrored(pointer: string): string {
  return pointer.replace(
    /^(\/shipment_information\/)(sender|receiver)(?=\/|$)/,
    (_, before: string, side: string) => before + (side === 'sender' ? 'receiver' : 'sender'),
  );
}
