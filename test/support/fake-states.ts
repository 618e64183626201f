import { REDIS_DEFAULTS } from '../../services/adapters/redis/config.ts';
import { sha256Hex } from '../../services/adapters/redis/keys.ts';
import type { TokenLimits } from '../../services/kernel/access.ts';
import type { AdmissionReader } from '../../services/kernel/admission.ts';
import type { Clock } from '../../services/kernel/clock.ts';
import type { Digest } from '../../services/kernel/digest.ts';
import type { LimitUse } from '../../services/kernel/limit-use.ts';
import type { RefusalStore } from '../../services/kernel/refusals.ts';
import type { TakenCallStore } from '../../services/kernel/taken-calls.ts';
import type { LastFixes } from '../../services/kernel/fixes.ts';
import type { Readiness } from '../../services/kernel/readiness.ts';
import type { StateStore } from '../../services/kernel/state-store.ts';
import type { TenantLimits } from '../../services/kernel/tenant-limits.ts';
import type { TraceableFixes } from '../../services/kernel/traceables.ts';
import { createStates, type States } from '../../services/state/create-states.ts';
import { fakeStateStore, type FakeStateStore } from './fake-state-store.ts';
import { fakeAdmission } from './fake-states/admission.ts';
import { fakeLastFixes, fakeTraceables, type FakeFixes } from './fake-states/fixes.ts';
import { fakeRefusals, fakeTaken } from './fake-states/kept-calls.ts';
import { fakeLimitUse } from './fake-states/limit-use.ts';
import { createRebuildRight, fakeReadiness } from './fake-states/readiness.ts';
import type { Buckets, StateSettings } from './fake-states/settings.ts';
import { fakeTenantLimits } from './fake-states/tenant-limits.ts';
import { fakeTokenLimits, type FailureCounts } from './fake-states/token-limits.ts';

/** What an adapter of the state store gives, beside the stores of things over it. */
export interface FakeStateParts {
  readonly store: StateStore;
  readonly digest: Digest;
  readonly tokenLimits: TokenLimits;
  readonly tenantLimits: TenantLimits;
  readonly limitUse: LimitUse;
  readonly refusals: RefusalStore;
  readonly taken: TakenCallStore;
  readonly admission: AdmissionReader;
  readonly lastFixes: LastFixes;
  readonly traceables: TraceableFixes;
  readonly readiness: Readiness;
}

/** The ports of the state store. */
export type StatePorts = FakeStateParts & States;

/** The stores of the product over one store in memory, for the tests of who uses their ports. */
export interface FakeStates extends StatePorts {
  readonly store: FakeStateStore;
  readonly fixes: Readonly<FakeFixes>;
  /** The stores of the product over another store: this one, as a process reaches it. */
  over(parts: FakeStateParts): StatePorts;
  /** Every call of every port rejects with this outage from now on. */
  failWith(code: 'state_unavailable' | 'state_not_ready'): void;
  /** Ends {@link FakeStates.failWith}. */
  heal(): void;
  /** Sets or takes the ready mark. */
  setReady(ready: boolean): void;
  /** Forgets everything, the ready mark included. */
  wipe(): void;
  /** Everything kept, to compare two stores. */
  dump(): Readonly<Record<string, unknown>>;
}

/**
 * Makes an empty store that is ready. It obeys the same suites as the real adapter
 * (`*-states.suite.ts`); `clock` drives leases, expiry and limits.
 */
export function fakeStates(
  settings: Partial<StateSettings> = {}, clock: Clock = { nowMs: () => Date.now() },
): FakeStates {
  const config = { ...REDIS_DEFAULTS, ...settings };
  const store = fakeStateStore(clock);
  const right = createRebuildRight(clock.nowMs);
  const buckets: Buckets = new Map();
  const failures: FailureCounts = new Map();
  const fixes: FakeFixes = {
    ofDevices: new Map(), ofTraceables: new Map(), erasedMs: new Map(), isComplete: true,
  };
  const over = (parts: FakeStateParts): StatePorts => createStates(config, parts);

  return {
    ...over({
      store,
      // Names as they are, so that tests can see whose an entry is; of a list a real digest.
      digest: (text) => text.startsWith('[') ? sha256Hex(text) : text,
      tokenLimits: fakeTokenLimits(store, buckets, failures, config),
      tenantLimits: fakeTenantLimits(store, buckets),
      limitUse: fakeLimitUse(store, buckets),
      refusals: fakeRefusals(),
      taken: fakeTaken(),
      admission: fakeAdmission(store, buckets, config),
      lastFixes: fakeLastFixes(store, fixes, right),
      traceables: fakeTraceables(store, fixes),
      readiness: fakeReadiness(store, right, config.rebuildDoubtMs),
    }),
    store, fixes, over,
    failWith: store.failWith,
    heal: () => store.failWith(),
    setReady: store.setReady,
    wipe() {
      store.wipe();
      right.forget();
      for (const each of [buckets, failures, fixes.ofDevices, fixes.ofTraceables]) each.clear();
      fixes.isComplete = false;
    },
    dump: () => structuredClone({ ...store.dump(), ...fixes }),
  };
}
