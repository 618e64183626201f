import type { TrackErased } from '../../schemas/generated/types.ts';

/** That positions of a device are erased: `personal.erased-tracks.v1`. */
export type { TrackErased };

/** Up to which time of receipt something is erased, in epoch milliseconds. */
export type ErasedUntil = ReadonlyMap<string, number>;

/** What is erased, by device and by the transports that devices were registered for. */
export interface ErasedTracks {
  readonly devices: ErasedUntil;
  readonly transports: ErasedUntil;
}

/** How long a writer may not know of an erasure while records come in, in milliseconds. */
export const ERASED_TRACKS_POLL_MS = 5_000;

/** True when what a device or transport sent at a time of receipt is erased. */
export function isErased(until: ErasedUntil, id: string, receivedAtMs: number): boolean {
  const untilMs = until.get(id);
  return untilMs !== undefined && receivedAtMs <= untilMs;
}
