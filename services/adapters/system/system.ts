import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';

/** The clock of the machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Waits on the machine's own timers. */
export const systemPause: Pause = (milliseconds) => wait(milliseconds);

const RANDOM_BYTES_TAKEN = 4_096;
const ID_BYTES = 16;

/**
 * Names that do not repeat. An ingest id is a UUIDv7 (RFC 9562): 48 bits of time, then 74 random
 * bits, so that names sort by the moment they were made. Random bytes are taken in larger pieces,
 * because asking for them costs more than using them.
 */
export function createIds(clock: Clock): Ids {
  let random = Buffer.alloc(0);
  let used = 0;

  function takeRandom(): Buffer {
    if (used + ID_BYTES > random.length) {
      random = randomBytes(RANDOM_BYTES_TAKEN);
      used = 0;
    }
    used += ID_BYTES;
    return random.subarray(used - ID_BYTES, used);
  }

  function ingestId(): string {
    const bytes = Buffer.from(takeRandom());
    bytes.writeUIntBE(clock.nowMs(), 0, 6);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return [
      hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20),
    ].join('-');
  }

  return { ingestId, nonce: () => takeRandom().toString('hex') };
}
