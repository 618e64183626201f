import type { StateKind } from './state-store.ts';

const DAY_MS = 86_400_000;

/** Kinds whose entries leave by {@link expiryOf}. */
export const LEAVING_KINDS: readonly StateKind[] = [
  'authorization', 'device', 'device-owner', 'shipment', 'shipment-numbers', 'shipment-orders',
];

/** How long live state knows a thing after the last fact about it: as long as history is kept. */
export const HISTORY_MS = 400 * DAY_MS;

/** How long the authorizations of a shipment stay after its final status. */
export const FINISHED_MS = 30 * DAY_MS;

/**
 * How long an entry stays beyond its end, so that what workers read late from the log still finds
 * it; also what an entry has left that a rebuild brings back after its end.
 */
export const LEAVING_MS = 7 * DAY_MS;

/** Characters of the name of a form, with which a packed shipment begins. */
export const FORM_NAME_CHARACTERS = 8;

/** Digits of base 36 of a time in milliseconds, enough until the year 2059. */
export const PACKED_TIME_DIGITS = 8;

/** When an entry leaves the state store that is kept so long after its last fact. */
export function expiryOf(lastFactMs: number, keptMs: number, nowMs: number): number {
  return Math.max(lastFactMs + keptMs, nowMs) + LEAVING_MS;
}

/** When a finished shipment counts as gone, by the last fact about it alone. */
export function finishedEndMs(lastFactMs: number): number {
  return lastFactMs + HISTORY_MS + LEAVING_MS;
}

/** When a packed shipment counts as gone: behind the name of its form it says the last fact. */
export function packedEndMs(packed: string): number {
  const from = FORM_NAME_CHARACTERS;
  return finishedEndMs(Number.parseInt(packed.slice(from, from + PACKED_TIME_DIGITS), 36));
}
