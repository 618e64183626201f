import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter } from '../../../schemas/generated/types.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Digest } from '../../kernel/digest.ts';
import {
  isErasedPost, KEYED_TOPICS, type Erasures,
} from '../../domain/personal/erased-posts.ts';
import { ERASED_TRACKS_POLL_MS, isErased } from '../../kernel/erased-tracks.ts';
import { parseFields } from '../../kernel/json-fields.ts';
import { isDecoded, type LogReader, type LogRecord } from '../../kernel/record-log.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import { receivedAtMs } from '../common/received-at.ts';
import { withoutErasedDrivers } from '../common/without-erased-drivers.ts';
import { readErasedDrivers, readErasedUntil } from '../../kernel/read-erasures.ts';

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
    const keyed = KEYED_TOPICS.get(topic);
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

/** A dead letter holds the record that could not be applied. */
function isErasedDeadLetter(erased: Erasures, digest: Digest, record: LogRecord): boolean {
  const { origin, headers } = (parseFields(record.value) ?? {}) as Partial<DeadLetter>;
  if (origin === undefined || headers === undefined) return false;
  const key = Buffer.from(origin.key ?? '', 'base64').toString('utf8');
  return isErasedPost({ topic: origin.topic, key, headers }, erased, digest);
}
