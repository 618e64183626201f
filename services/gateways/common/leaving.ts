import type { Pause } from '../../kernel/clock.ts';

/** How a gateway stops. */
export interface LeavingConfig {
  /** How long it still serves, while it says unready. */
  readonly lameDuckMs: number;
  /** How long calls in progress may take after that. */
  readonly drainMsMax: number;
}

/** What is left: it can say in every answer that the line ends with it, and then close. */
interface Leavable {
  announceClose(): void;
  close(drainMsMax: number): Promise<void>;
}

/** The way out of a gateway. */
export interface Leaving {
  readonly isLeaving: () => boolean;
  /** Reports unready, sends `Connection: close`, serves on, then closes. */
  readonly leave: (server: Leavable) => Promise<void>;
}

/**
 * A load balancer asks for readiness only now and then: until then every call is served,
 * so that a gateway can be replaced without one that is refused. Lines that callers keep are given
 * back in that time, each with its next answer: one that is closed while a call is in flight
 * would break that call.
 */
export function createLeaving(config: LeavingConfig, pause: Pause): Leaving {
  let isLeaving = false;
  return {
    isLeaving: () => isLeaving,
    async leave(server) {
      isLeaving = true;
      server.announceClose();
      await pause(config.lameDuckMs);
      await server.close(config.drainMsMax);
    },
  };
}
