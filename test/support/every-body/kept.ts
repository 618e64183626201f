import type { AuthorizationRequest } from '../../../schemas/generated/types.ts';
import { storedRequest } from '../../../services/domain/authorization/stored-texts.ts';
import { tokensOf } from './judge.ts';

/**
 * Operations that take what they know out of a body; what they do not know goes no further, and
 * the names differ in the fact. All others keep the body as a whole.
 */
const TAKING_APART: ReadonlySet<string> = new Set([
  'issue-token', 'register-device', 'cancel-shipment',
]);

/** True when everything in the body of an operation must be in the log as it was written. */
export function keepsWhole(id: string): boolean {
  return !TAKING_APART.has(id);
}

/**
 * Operations whose amounts must not lose a digit. The others measure: their numbers are doubles,
 * and integers that a double does not hold are refused.
 */
const KEEPING_DIGITS: ReadonlySet<string> = new Set(['authorize-shipment', 'push-notifications']);

/** What must be in the log when a body was accepted: all of it, or no token of it. */
export function keptOf(id: string, body: string): readonly string[] {
  return keepsWhole(id) ? tokensOf(storedOf(id, body), KEEPING_DIGITS.has(id)) : [];
}

/** The contract has the texts of an authorization cut to what a carrier stores, and no others. */
function storedOf(id: string, body: string): string {
  if (id !== 'authorize-shipment') return body;
  return JSON.stringify(storedRequest(JSON.parse(body) as AuthorizationRequest, body));
}
