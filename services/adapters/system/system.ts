import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock, Pause } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';

/** The clock of the machine. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Waits on the machine's own timers. */
export const systemPause: Pause = (milliseconds) => wait(milliseconds);

const RANDOM_BYTES_TAKEN = 4_096;
const ID_DIGITS = 32;
const TIME_DIGITS = 12;

/**
 * Names that do not repeat. An ingest id is a UUIDv7 (RFC 9562): 48 bits of time, then 74 random
 * bits, so that names sort by the moment they were made. Random bytes are taken in larger pieces
 * and as text, because asking for them and writing them down costs more than using them.
 */
export function createIds(clock: Clock): Ids {
  let random = '';
  let used = 0;
  let lastMs = -1;
  let lastTime = '';

  function takeDigits(): string {
    if (used + ID_DIGITS > random.length) {
      random = randomBytes(RANDOM_BYTES_TAKEN).toString('hex');
      used = 0;
    }
    used += ID_DIGITS;
    return random.slice(used - ID_DIGITS, used);
  }

  /** The first two groups of an ingest id; many are made within one millisecond. */
  function timeOf(nowMs: number): string {
    if (nowMs !== lastMs) {
      const digits = nowMs.toString(16).padStart(TIME_DIGITS, '0');
      lastTime = `${digits.slice(0, 8)}-${digits.slice(8)}`;
      lastMs = nowMs;
    }
    return lastTime;
  }

  function ingestId(): string {
    const digits = takeDigits();
    const variant = (0x8 | (Number.parseInt(digits.charAt(3), 16) & 0x3)).toString(16);
    return [
      timeOf(clock.nowMs()), `7${digits.slice(0, 3)}`, variant + digits.slice(4, 7),
      digits.slice(7, 19),
    ].join('-');
  }

  return { ingestId, nonce: takeDigits };
}
