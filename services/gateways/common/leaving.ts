import type { Pause } from '../../kernel/clock.ts';

/** How a gateway that is told to end goes. */
export interface LeavingConfig {
  /** How long it still serves, while it says unready. */
  readonly lameDuckMs: number;
  /** How long calls under way may take after that. */
  readonly drainMsMax: number;
}

/** The way out of a gateway. */
export interface Leaving {
  readonly isLeaving: () => boolean;
  /** Says unready, serves on, then closes what `close` closes. */
  readonly leave: (close: (drainMsMax: number) => Promise<void>) => Promise<void>;
}

/**
 * Whoever sends calls here asks for readiness only now and then: until then every call is served,
 * so that a gateway can be replaced without one that is refused.
 */
export function createLeaving(config: LeavingConfig, pause: Pause): Leaving {
  let isLeaving = false;
  return {
    isLeaving: () => isLeaving,
    async leave(close) {
      isLeaving = true;
      await pause(config.lameDuckMs);
      await close(config.drainMsMax);
    },
  };
}
