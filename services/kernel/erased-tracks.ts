import type { TrackErased } from '../../schemas/generated/types.ts';
import { eachFact } from './each-fact.ts';
import type { LogReader } from './record-log.ts';

/** That positions of a device are erased: `personal.erased-tracks.v1`. */
export type { TrackErased };

/** Up to which time of receipt the positions of each device are erased, in epoch milliseconds. */
export type ErasedTracks = ReadonlyMap<string, number>;

/** How long a writer may not know of an erasure while records come in, in milliseconds. */
export const ERASED_TRACKS_POLL_MS = 5_000;

/** Reads every erasure of positions that is in the log. */
export async function readErasedTracks(
  reader: LogReader, topic: string,
): Promise<ReadonlyMap<string, TrackErased>> {
  const erased = new Map<string, TrackErased>();
  await eachFact<TrackErased>(reader, [topic], (fact) => {
    const known = erased.get(fact.device_id)?.received_until_ms ?? -1;
    if (fact.received_until_ms > known) erased.set(fact.device_id, fact);
  });
  return erased;
}

/** Up to when the positions of each device are erased, as the log says. */
export async function readErasedUntil(reader: LogReader, topic: string): Promise<ErasedTracks> {
  const erased = await readErasedTracks(reader, topic);
  return new Map([...erased].map(([device, fact]) => [device, fact.received_until_ms]));
}

/** True when what a device sent at a time of receipt is erased. */
export function isErased(tracks: ErasedTracks, deviceId: string, receivedAtMs: number): boolean {
  const untilMs = tracks.get(deviceId);
  return untilMs !== undefined && receivedAtMs <= untilMs;
}
