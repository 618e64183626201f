import { TOPICS } from '../../../../schemas/generated/catalog.ts';
import type { AuthorizationCallEvent } from '../../../kernel/authorization-calls.ts';
import type { AuthorizationEvent } from '../../../kernel/authorizations.ts';
import type { LogRecord } from '../../../kernel/record-log.ts';
import { all, isFields, isText, isWhole, parseFields, type Fields } from '../../../kernel/json-fields.ts';

const CALL_OUTCOMES: ReadonlySet<unknown> = new Set(['authorized', 'retry', 'parked']);

/** The fact about an authorization, or about the call of a carrier, in a record; else undefined. */
export function readAuthorizationFact(
  record: LogRecord,
): AuthorizationEvent | AuthorizationCallEvent | undefined {
  const fields = parseFields(record.value);
  if (fields === undefined || !isCommon(fields)) return undefined;
  const isGood = record.topic === TOPICS.authorizations.name
    ? isAuthorization(fields)
    : isCall(fields);
  return isGood ? fields as unknown as AuthorizationEvent | AuthorizationCallEvent : undefined;
}

function isCommon(fields: Fields): boolean {
  return all(fields, ['transport_order_id', 'shipment_id'], isText) && isWhole(fields['at_ms']);
}

function isAuthorization(fields: Fields): boolean {
  if (!isText(fields['client_id'])) return false;
  switch (fields['type']) {
    case 'ShipmentAuthorized':
      return isStep(fields) && isFields(fields['answer']) && isFields(fields['request']);
    case 'ShipmentCancelled': return isStep(fields);
    case 'AuthorizationRefused': return isText(fields['error_code']);
    default: return false;
  }
}

function isStep(fields: Fields): boolean {
  return isWhole(fields['epoch']) && isText(fields['tracking_number']);
}

function isCall(fields: Fields): boolean {
  if (!all(fields, ['call_id', 'carrier'], isText) || !isWhole(fields['round'])) return false;
  switch (fields['type']) {
    case 'AuthorizationAsked': return isFields(fields['request']) && isText(fields['client_id']);
    case 'AuthorizationTried':
      return isWhole(fields['attempt']) && CALL_OUTCOMES.has(fields['outcome']);
    default: return false;
  }
}
