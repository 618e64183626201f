/** The time, as an argument: no decision reads it from the system. */
export interface Clock {
  /** Milliseconds since 1970 in UTC. */
  nowMs(): number;
}

/** Waits the given milliseconds; handed in so that tests need no real time. */
export type Pause = (milliseconds: number) => Promise<void>;
