import type { StreamLine } from '../../kernel/stream-line.ts';
import type { LiveLimits } from './limits.ts';

/** What a feed knows of a line. */
export interface LineState {
  readonly line: StreamLine;
  /** When something was last taken from the line, or nothing waited on it. */
  movedAtMs: number;
  waitedBytes: number;
  /** When something was written last. */
  spokeAtMs: number;
}

/** The state of a new line. */
export function newLine(line: StreamLine, nowMs: number): LineState {
  return { line, movedAtMs: nowMs, waitedBytes: 0, spokeAtMs: nowMs };
}

/** True when so little waits on a line that more may be written. */
export function hasRoom({ line }: LineState, { lineBytesMax }: LiveLimits): boolean {
  return line.waitingBytes() <= lineBytesMax;
}

/** True when the line has stood still for too long: its reader is gone or far too slow. */
export function isStalled(state: LineState, nowMs: number, { stallMsMax }: LiveLimits): boolean {
  const waiting = state.line.waitingBytes();
  if (waiting === 0 || waiting < state.waitedBytes) state.movedAtMs = nowMs;
  state.waitedBytes = waiting;
  return nowMs - state.movedAtMs > stallMsMax;
}

/** Writes, and notes when. */
export function speak(state: LineState, bytes: Uint8Array, nowMs: number): void {
  state.line.write(bytes);
  state.spokeAtMs = nowMs;
}
