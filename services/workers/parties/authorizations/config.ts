import { CALL_RETRY, type CallRetry } from '../../../domain/authorization/carrier-call.ts';
import type { DueRunnerConfig } from '../common/due-work.ts';

/** Settings of the authorizer. */
export interface AuthorizerConfig extends DueRunnerConfig {
  /** Schema of carriers whose party names none. */
  readonly retry: CallRetry;
}

/** Defaults of {@link AuthorizerConfig}. */
export const AUTHORIZER_LIMITS: AuthorizerConfig = {
  retry: CALL_RETRY,
  pollMs: 250,
  leaseMs: 60_000,
  inFlightMax: 64,
  inFlightMaxPerParty: 8,
  busyMs: 1_000,
  appendMsMax: 10_000,
};
