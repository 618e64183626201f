import type { TrackErased } from '../../schemas/generated/types.ts';
import { eachFact } from './each-fact.ts';
import type { LogReader } from './record-log.ts';

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

/** Up to when what devices and transports sent is erased, as the log says. */
export async function readErasedUntil(reader: LogReader, topic: string): Promise<ErasedTracks> {
  const erased = await readErasedTracks(reader, topic);
  const transports = new Map<string, number>();
  for (const { transport_ids = [], received_until_ms } of erased.values()) {
    for (const id of transport_ids) {
      transports.set(id, Math.max(received_until_ms, transports.get(id) ?? 0));
    }
  }
  const devices = new Map([...erased].map(([id, fact]) => [id, fact.received_until_ms]));
  return { devices, transports };
}

/** True when what a device or transport sent at a time of receipt is erased. */
export function isErased(until: ErasedUntil, id: string, receivedAtMs: number): boolean {
  const untilMs = until.get(id);
  return untilMs !== undefined && receivedAtMs <= untilMs;
}
