/** The time, handed to whoever needs it, so that no decision reads it by itself. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  nowMs(): number;
}
