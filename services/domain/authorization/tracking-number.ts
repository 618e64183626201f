import type { Digest } from '../../kernel/digest.ts';
import type { ClientId, TrackingNumber, TransportOrderId } from '../../kernel/ids.ts';

/** What a tracking number is made from; the same input always gives the same number. */
export interface TrackingNumberOrigin {
  /** Client of the carrier of this deployment; empty when there is none. */
  readonly carrierClientId: ClientId;
  readonly clientId: ClientId;
  readonly transportOrderId: TransportOrderId;
  readonly epoch: number;
  readonly test: boolean;
}

// Crockford's base 32: no character that can be misread as another.
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CHECK_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const CHARACTERS = 20;
const PREFIX = 'RS';
const TEST_PREFIX = 'TEST';

/**
 * A tracking number: prefix, 100 bits of a keyed hash and a check character. Who knows the order
 * cannot guess its number without the key. Deterministic under one key; `TEST` begins those of test
 * requests and no other (decisions.md, `test: true`).
 */
export function trackingNumberOf(keyed: Digest, origin: TrackingNumberOrigin): TrackingNumber {
  const { carrierClientId, clientId, transportOrderId, epoch } = origin;
  const named = JSON.stringify(['tracking number', carrierClientId, clientId, transportOrderId, epoch]);
  const digest = keyed(named);
  let body = '';
  for (let at = 0; at < CHARACTERS; at += 1) body += DIGITS[fiveBits(digest, at * 5)];
  return `${origin.test ? TEST_PREFIX : PREFIX}${body}${checkCharacter(body)}`;
}

/** True when the check character of a number fits; finds every single mistyped character. */
export function isTrackingNumber(text: string): boolean {
  const parts = /^(?:RS|TEST)([0-9A-Z]{20})([0-9A-Z])$/.exec(text);
  return parts !== null && checkCharacter(parts[1] ?? '') === parts[2];
}

function fiveBits(digest: string, from: number): number {
  const at = from >> 3;
  const pair = Number.parseInt(digest.slice(at * 2, at * 2 + 4), 16);
  return (pair >> (11 - (from & 7))) & 31;
}

/** ISO 7064, MOD 37,36. */
function checkCharacter(body: string): string {
  let product = 36;
  for (const character of body) {
    const sum = (product + CHECK_DIGITS.indexOf(character)) % 36 || 36;
    product = (sum * 2) % 37;
  }
  return CHECK_DIGITS[(37 - product) % 36] ?? '0';
}
