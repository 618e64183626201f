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

/** When an entry leaves the state store that is kept so long after its last fact. */
export function expiryOf(lastFactMs: number, keptMs: number, nowMs: number): number {
  return Math.max(lastFactMs + keptMs, nowMs) + LEAVING_MS;
}
