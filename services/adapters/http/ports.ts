import type { Countries } from '../../kernel/countries.ts';
import type { AdmissionReader } from '../../kernel/admission.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AuthorizeCaller, ErrorForm } from '../../kernel/http.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Pages } from '../../kernel/pages.ts';
import type { RefusedCalls } from '../../kernel/refusals.ts';
import type { Schemas } from '../../kernel/schemas.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { TakenCalls } from '../../kernel/taken-calls.ts';
import type { TenantLimits } from '../../kernel/tenant-limits.ts';
import type { Tracer } from '../../kernel/tracing.ts';
import type { BadTokensConfig } from './bad-tokens.ts';
import type { DelayedRejectionsConfig } from './delayed-rejections.ts';
import type { ClientConcurrencyConfig } from './client-concurrency.ts';
import type { LargeBodiesConfig } from './large-bodies.ts';
import type { TenantMeterConfig } from './tenant-meter.ts';

/** Limits of every call; sizes of a body are in its operation. */
export interface HttpConfig
  extends DelayedRejectionsConfig, ClientConcurrencyConfig, BadTokensConfig, TenantMeterConfig,
  LargeBodiesConfig {
  /** Countries that `country_id` may name (decisions.md, Countries). */
  readonly countries: Countries;
  /** From the last byte of the body to the answer. */
  readonly requestDeadlineMs: number;
  /** How long what admission saw of a device may be acted on; a stalled process gives up. */
  readonly admissionFreshMs: number;
  /** After the deadline an operation that did not end on its own is answered for. */
  readonly overdueGraceMs: number;
  /** Bodies of all calls together; beyond it callers must wait. */
  readonly bodyBytesInFlightMax: number;
  /** What is read and thrown away of a body that was refused unread, before the line is cut. */
  readonly discardedBytesMax: number;
  readonly bodyDepthMax: number;
  /** How often the rights of a caller that is answered with a stream are looked at again. */
  readonly streamRecheckMs: number;
  /** How long a stream goes on while they cannot be looked at. */
  readonly streamUncheckedMsMax: number;
  /** Addresses and networks whose `X-Forwarded-For` is believed; everyone else's is not. */
  readonly trustedProxies: readonly string[];
  /** Most seconds that a caller must wait after a fault; spread from 1. */
  readonly faultRetryAfterSecondsMax: number;
}

/** What answering calls needs from outside. `errors` is for paths that no operation owns. */
export interface HttpPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signals: Signals;
  readonly admission: AdmissionReader;
  readonly tenantLimits: TenantLimits;
  readonly authorize: AuthorizeCaller;
  readonly schemas: Schemas;
  readonly errors: ErrorForm;
  /** Takes refused calls of known clients; absent where they are not kept. */
  readonly refusedCalls?: RefusedCalls | undefined;
  /** Takes calls of clients that had success; absent where they are not kept. */
  readonly takenCalls?: TakenCalls | undefined;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
  /** What people read; absent where there is nothing but operations. */
  readonly pages?: Pages | undefined;
  /** Traces calls; absent where traces are off. */
  readonly tracer?: Tracer | undefined;
}
