import { CALL_RETRY, type CallRetry } from '../../../domain/authorization/carrier-call.ts';

/** Settings of the authorizer. */
export interface AuthorizerConfig {
  /** Schema of carriers whose party names none. */
  readonly retry: CallRetry;
  /** How often the queue is looked at. */
  readonly pollMs: number;
  /** How long a taken call is nobody else's; longer than a request and its append. */
  readonly leaseMs: number;
  /** Calls under way in this process, and at one carrier. */
  readonly inFlightMax: number;
  readonly inFlightMaxPerCarrier: number;
  /** Wait of a call that found its carrier busy. */
  readonly busyMs: number;
  /** How long one append may take before the call is taken again. */
  readonly appendMsMax: number;
}

/** Defaults of {@link AuthorizerConfig}. */
export const AUTHORIZER_LIMITS: AuthorizerConfig = {
  retry: CALL_RETRY,
  pollMs: 250,
  leaseMs: 60_000,
  inFlightMax: 64,
  inFlightMaxPerCarrier: 8,
  busyMs: 1_000,
  appendMsMax: 10_000,
};
