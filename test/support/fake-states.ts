import { REDIS_DEFAULTS } from '../../services/adapters/redis/config.ts';
import type { AccessStates } from '../../services/kernel/access.ts';
import type { AdmissionReader } from '../../services/kernel/admission.ts';
import type { Clock } from '../../services/kernel/clock.ts';
import type { DeviceStates } from '../../services/kernel/devices.ts';
import { Unavailable } from '../../services/kernel/unavailable.ts';
import type { PositionStates } from '../../services/kernel/positions.ts';
import type { Readiness } from '../../services/kernel/readiness.ts';
import type { TraceablePositions } from '../../services/kernel/traceables.ts';
import { fakeAccess } from './fake-states/access.ts';
import { fakeAdmission } from './fake-states/admission.ts';
import { fakeDevices } from './fake-states/devices.ts';
import { fakePositions, fakeReadiness, fakeTraceables } from './fake-states/positions.ts';
import type { StateSettings } from './fake-states/settings.ts';
import { emptyStore, type FakeStore } from './fake-states/store.ts';

/** The ports of the state store. */
export interface StatePorts {
  readonly admission: AdmissionReader;
  readonly devices: DeviceStates;
  readonly access: AccessStates;
  readonly positions: PositionStates;
  readonly traceables: TraceablePositions;
  readonly readiness: Readiness;
}

/** The state store in memory, for the tests of who uses its ports. */
export interface FakeStates extends StatePorts {
  /** Every call of every port rejects with this fault from now on. */
  failWith(code: 'state_unavailable' | 'state_not_ready'): void;
  /** Ends {@link FakeStates.failWith}. */
  heal(): void;
  /** Sets or takes the ready mark. */
  setReady(ready: boolean): void;
  /** Forgets everything, the ready mark included. */
  wipe(): void;
  /** Everything kept, to compare two stores. */
  dump(): FakeStore;
  /** The store itself, for who looks often, and for who spoils it. */
  readonly kept: FakeStore;
}

/**
 * Makes an empty store that is ready. It obeys the same suites as the real adapter
 * (`*-states.suite.ts`); `clock` drives leases, expiry and limits.
 */
export function fakeStates(
  settings: Partial<StateSettings> = {}, clock: Clock = { nowMs: () => Date.now() },
): FakeStates {
  const config = { ...REDIS_DEFAULTS, ...settings };
  const store = emptyStore();
  store.ready = true;
  store.positionsComplete = true;
  let failure: 'state_unavailable' | 'state_not_ready' | undefined;

  /** Fails as asked; with `marked`, also without the ready mark. */
  function guard(marked: boolean): void {
    if (failure !== undefined) throw new Unavailable(failure, 'admit', 'as the test asked');
    if (marked && !store.ready) throw new Unavailable('state_not_ready', 'admit', 'no ready mark');
  }

  return {
    admission: fakeAdmission(store, guard, clock, config),
    devices: fakeDevices(store, guard, clock, config.claimLeaseMs),
    access: fakeAccess(store, guard, clock, config),
    positions: fakePositions(store, guard, clock),
    traceables: fakeTraceables(store, guard),
    readiness: fakeReadiness(store, guard, clock),
    failWith: (code) => { failure = code; },
    heal: () => { failure = undefined; },
    setReady: (ready) => { store.ready = ready; },
    wipe: () => { Object.assign(store, emptyStore()); },
    dump: () => structuredClone(store),
    kept: store,
  };
}
