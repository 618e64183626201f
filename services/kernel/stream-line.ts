/** The line to a caller that is answered with a stream. */
export interface StreamLine {
  /** Takes bytes as they are, without a copy: they must not change. Nothing once it is over. */
  write(bytes: Uint8Array): void;
  /** Bytes that were taken and are still here, because the caller does not read them. */
  waitingBytes(): number;
  /** Calls back once when none are left; a later call replaces an earlier one. */
  onDrained(then: () => void): void;
  /** Ends the stream behind what waits. */
  end(): void;
  /** Cuts the line at once, with what waits. */
  cut(): void;
}

/**
 * Begins to write a stream. What it returns is called once when the stream is over,
 * whichever side ended it.
 */
export type BeginStream = (line: StreamLine) => () => void;
