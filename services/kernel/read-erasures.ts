import { eachFact } from './each-fact.ts';
import {
  byProvider, type DriverErased, type DriverErasure, type ErasedDrivers,
} from './erased-drivers.ts';
import type { ErasedTracks, TrackErased } from './erased-tracks.ts';
import type { Fold } from './fold.ts';
import { parseFields } from './json-fields.ts';
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
  await eachFact<TrackErased>(reader, [topic], (fact) => { addTrack(erased, fact); });
  return erased;
}

/** Up to when what devices and transports sent is erased, as the log says. */
export async function readErasedUntil(reader: LogReader, topic: string): Promise<ErasedTracks> {
  return erasedUntil(await readErasedTracks(reader, topic));
}

/** Erasures as the log has them; a fact that comes again changes nothing. */
export interface ErasureFacts {
  readonly tracks: Map<string, TrackErased>;
  readonly drivers: Map<string, DriverErasure>;
}

/** Folds erasures, for who asks again and again: it reads those that are new. */
export function erasuresFold(tracksTopic: string): Fold<ErasureFacts> {
  return {
    empty: () => ({ tracks: new Map(), drivers: new Map() }),
    add({ tracks, drivers }, { topic, key, value }) {
      const fact = parseFields(value);
      if (fact === undefined) return;
      if (topic === tracksTopic) addTrack(tracks, fact as unknown as TrackErased);
      else drivers.set(key, fact as unknown as DriverErased);
    },
    write: ({ tracks, drivers }) => [[...tracks], [...drivers]],
    read(json) {
      const [tracks, drivers] = json as [[string, TrackErased][], [string, DriverErasure][]];
      return { tracks: new Map(tracks), drivers: new Map(drivers) };
    },
  };
}

/** What is erased by these facts. */
export function erasuresOf(
  { tracks, drivers }: ErasureFacts,
): { readonly tracks: ErasedTracks; readonly drivers: ErasedDrivers } {
  return { tracks: erasedUntil(tracks), drivers: byProvider([...drivers.values()]) };
}

function addTrack(erased: Map<string, TrackErased>, fact: TrackErased): void {
  const known = erased.get(fact.device_id)?.received_until_ms ?? -1;
  if (fact.received_until_ms > known) erased.set(fact.device_id, fact);
}

function erasedUntil(erased: ReadonlyMap<string, TrackErased>): ErasedTracks {
  const transports = new Map<string, number>();
  for (const { transport_ids = [], received_until_ms } of erased.values()) {
    for (const id of transport_ids) {
      transports.set(id, Math.max(received_until_ms, transports.get(id) ?? 0));
    }
  }
  const devices = new Map([...erased].map(([id, fact]) => [id, fact.received_until_ms]));
  return { devices, transports };
}
