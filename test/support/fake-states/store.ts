import type { ClientRecorded } from '../../../services/kernel/access.ts';
import type { DeviceRank, DeviceRegistered } from '../../../services/kernel/devices.ts';
import type { LastPosition, PositionOffer } from '../../../services/kernel/positions.ts';
import type { TraceableOffer } from '../../../services/kernel/traceables.ts';

/** A claim that somebody holds until its lease ends. */
export interface FakeClaim {
  readonly id: string;
  readonly rank: number;
  readonly untilMs: number;
}

/** A device as its facts merged. `rank` is what admission sees. */
export interface FakeDevice {
  owner: string;
  rank: DeviceRank;
  stopFrom: DeviceRank | undefined;
  registered: DeviceRegistered | undefined;
  startedAtMs: number | undefined;
  stoppedAtMs: number | undefined;
  claim: FakeClaim | undefined;
}

/** The newest device of an entity. */
export interface FakeEntity {
  generation: number;
  device_id: string | undefined;
  claim: FakeClaim | undefined;
}

/** A token as its facts merged. */
export interface FakeToken {
  client_id: string;
  audience: string | undefined;
  scopes: readonly string[];
  expires_at_ms: number;
  revoked: boolean;
}

/** Everything that the fake state store keeps. */
export interface FakeStore {
  ready: boolean;
  positionsComplete: boolean;
  rebuild: { owner: string; untilMs: number } | undefined;
  clients: Map<string, ClientRecorded>;
  tokens: Map<string, FakeToken>;
  devices: Map<string, FakeDevice>;
  entities: Map<string, FakeEntity>;
  /** Claims that were taken and neither confirmed nor released, with the end of their leases. */
  claims: Map<string, number>;
  positions: Map<string, { fix: LastPosition; place: PositionOffer['position'] }>;
  traceables: Map<string, TraceableOffer>;
  buckets: Map<string, number>;
  /** Failed token requests by client id and address. */
  failures: Map<string, { count: number; waitEndsMs: number; keptUntilMs: number }>;
}

/** Fails when the test asked for it; with `marked`, also when the store is not ready. */
export type Guard = (marked: boolean) => void;

/** A store with nothing in it, not ready. */
export function emptyStore(): FakeStore {
  return {
    ready: false, positionsComplete: false, rebuild: undefined,
    clients: new Map(), tokens: new Map(), devices: new Map(), entities: new Map(),
    claims: new Map(), positions: new Map(), traceables: new Map(), buckets: new Map(),
    failures: new Map(),
  };
}
