/** The time, handed to whoever needs it, so that no decision reads it by itself. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  nowMs(): number;
}

/** Waits the given milliseconds; handed in so that tests need no real time. */
export type Pause = (milliseconds: number) => Promise<void>;
