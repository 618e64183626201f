import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { DeadLetter } from '../../../schemas/generated/types.ts';
import type { Clock } from '../../kernel/clock.ts';
import {
  ERASED_TRACKS_POLL_MS, isErased, type ErasedTracks,
} from '../../kernel/erased-tracks.ts';
import { parseFields } from '../../kernel/json-fields.ts';
import { isDecoded, type LogRecord } from '../../kernel/record-log.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import { receivedAtMs } from '../common/received-at.ts';

/** Which records a table writer leaves out, because what they hold was erased. */
export interface SkipErased {
  /** Reads the erasures: before the first record of an assignment. */
  begin(): Promise<void>;
  /** Reads them again when the last time is too long ago; rejects when it cannot. */
  poll(): Promise<void>;
  isErased(record: ConsumedRecord): boolean;
}

/** What knowing about erasures takes. */
export interface SkipErasedPorts {
  /** Reads all erasures of the log. */
  readonly read: () => Promise<ErasedTracks>;
  readonly clock: Clock;
}

/** Topics whose records are of one device, which is their key. */
const OF_DEVICES: ReadonlySet<string> = new Set([
  TOPICS.locations.name, TOPICS.overflowLocations.name, TOPICS.telemetryEvents.name,
]);

/**
 * Keeps which positions are erased. A writer that cannot learn of new erasures writes nothing: it
 * reads them from the log that its records come from.
 */
export function createSkipErased({ read, clock }: SkipErasedPorts): SkipErased {
  let tracks: ErasedTracks = new Map();
  let readAtMs = -Infinity;

  async function begin(): Promise<void> {
    const atMs = clock.nowMs();
    tracks = await read();
    readAtMs = atMs;
  }

  return {
    begin,
    async poll() {
      if (clock.nowMs() - readAtMs >= ERASED_TRACKS_POLL_MS) await begin();
    },
    isErased(record) {
      if (tracks.size === 0 || !isDecoded(record)) return false;
      if (OF_DEVICES.has(record.topic)) return isErased(tracks, record.key, receivedAtMs(record));
      return record.topic === TOPICS.deadLetters.name && isErasedDeadLetter(tracks, record);
    },
  };
}

/** A dead letter holds the record that could not be applied. */
function isErasedDeadLetter(tracks: ErasedTracks, record: LogRecord): boolean {
  const { origin, headers } = (parseFields(record.value) ?? {}) as Partial<DeadLetter>;
  if (origin === undefined || headers === undefined || !OF_DEVICES.has(origin.topic)) return false;
  const deviceId = Buffer.from(origin.key ?? '', 'base64').toString('utf8');
  return isErased(tracks, deviceId, Number(headers['received-at'] ?? 0));
}
