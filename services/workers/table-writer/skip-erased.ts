import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter } from '../../../schemas/generated/types.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Digest } from '../../kernel/digest.ts';
import {
  isDriverErased, providerName, readErasedDrivers, type Driver, type ErasedDrivers,
} from '../../kernel/erased-drivers.ts';
import {
  ERASED_TRACKS_POLL_MS, isErased, readErasedUntil, type ErasedTracks,
} from '../../kernel/erased-tracks.ts';
import { parseFields } from '../../kernel/json-fields.ts';
import { isDecoded, type LogReader, type LogRecord } from '../../kernel/record-log.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import { receivedAtMs } from '../common/received-at.ts';
import { withoutErasedDrivers } from '../common/without-erased-drivers.ts';

/** What the log says is erased. */
export interface Erasures {
  readonly tracks: ErasedTracks;
  readonly drivers: ErasedDrivers;
}

/** What a table writer leaves out, because it was erased. */
export interface SkipErased {
  /** Reads the erasures: before the first record of an assignment. */
  begin(): Promise<void>;
  /** Reads them again when the last time is too long ago; rejects when it cannot. */
  poll(): Promise<void>;
  /** The record without what is erased of it: the same when nothing is, undefined when all is. */
  left(record: ConsumedRecord): ConsumedRecord | undefined;
}

/** What knowing about erasures takes. */
export interface SkipErasedPorts {
  /** Reads all erasures of the log. */
  readonly read: () => Promise<Erasures>;
  readonly clock: Clock;
  readonly digest: Digest;
}

/** Topics whose records are of one device or transport, which is their key. */
const KEYED: ReadonlyMap<string, keyof ErasedTracks> = new Map([
  [TOPICS.locations.name, 'devices'], [TOPICS.overflowLocations.name, 'devices'],
  [TOPICS.telemetryEvents.name, 'devices'], [TOPICS.deferredEvents.name, 'transports'],
]);

/** Reads what the log says is erased. */
export async function readErasures(reader: LogReader): Promise<Erasures> {
  return {
    tracks: await readErasedUntil(reader, TOPICS.erasedTracks.name),
    drivers: await readErasedDrivers(reader, TOPICS.erasedDrivers.name),
  };
}

/**
 * Keeps what is erased. A writer that cannot learn of new erasures writes nothing: it reads them
 * from the log that its records come from.
 */
export function createSkipErased({ read, clock, digest }: SkipErasedPorts): SkipErased {
  let erased: Erasures = {
    tracks: { devices: new Map(), transports: new Map() }, drivers: new Map(),
  };
  let readAtMs = -Infinity;

  async function begin(): Promise<void> {
    const atMs = clock.nowMs();
    erased = await read();
    readAtMs = atMs;
  }

  function left(record: LogRecord): LogRecord | undefined {
    const { topic, key } = record;
    const keyed = KEYED.get(topic);
    if (keyed !== undefined) {
      return isErased(erased.tracks[keyed], key, receivedAtMs(record)) ? undefined : record;
    }
    if (topic === TOPICS.deliveryLocations.name) {
      return withoutErasedDrivers(record, erased.drivers, digest);
    }
    const isGone = topic === TOPICS.deadLetters.name && isErasedDeadLetter(erased, digest, record);
    return isGone ? undefined : record;
  }

  return {
    begin,
    async poll() {
      if (clock.nowMs() - readAtMs >= ERASED_TRACKS_POLL_MS) await begin();
    },
    left(record) {
      const isNothing = erased.tracks.devices.size === 0 && erased.drivers.size === 0;
      return isNothing || !isDecoded(record) ? record : left(record);
    },
  };
}

/** A dead letter holds the record that could not be applied; its first driver is in the key. */
function isErasedDeadLetter(
  { tracks, drivers }: Erasures, digest: Digest, record: LogRecord,
): boolean {
  const { origin, headers } = (parseFields(record.value) ?? {}) as Partial<DeadLetter>;
  if (origin === undefined || headers === undefined) return false;
  const key = Buffer.from(origin.key ?? '', 'base64').toString('utf8');
  const atMs = Number(headers['received-at'] ?? 0);
  const keyed = KEYED.get(origin.topic);
  if (keyed !== undefined) return isErased(tracks[keyed], key, atMs);
  if (origin.topic !== TOPICS.deliveryLocations.name) return false;
  const { client = '', provider = '' } = headers;
  const erased = drivers.get(providerName(client, provider)) ?? [];
  return driversNamed(key.slice(provider.length + 1))
    .some((driver) => isDriverErased(erased, digest, driver, atMs));
}

/** `type|id` in each way in which a bar may divide them, since both may hold bars. */
function driversNamed(text: string): readonly Driver[] {
  const parts = text.split('|');
  return parts.slice(1).map((_, at): Driver => ({
    external_type: parts.slice(0, at + 1).join('|'), external_id: parts.slice(at + 1).join('|'),
  }));
}
