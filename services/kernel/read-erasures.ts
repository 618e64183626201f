import { eachFact } from './each-fact.ts';
import {
  byProvider, type DriverErased, type DriverErasure, type ErasedDrivers,
} from './erased-drivers.ts';
import type { ErasedTracks, TrackErased } from './erased-tracks.ts';
import type { LogReader } from './record-log.ts';

/** Reads every erasure of a driver that is in the log. */
export async function readErasedDrivers(reader: LogReader, topic: string): Promise<ErasedDrivers> {
  const erased: DriverErasure[] = [];
  await eachFact<DriverErased>(reader, [topic], (fact) => { erased.push(fact); });
  return byProvider(erased);
}

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
