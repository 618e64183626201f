import type { ClientLimits } from './access.ts';
import type { DeviceStage } from './devices.ts';
import type { ClientId, DeviceId } from './ids.ts';

/**
 * What admission needs to know of a call. `shard` is part of the token's own text, so that
 * everything about one client is in one Redis slot. `locations`, `notifications` and `bytes` are
 * the costs against the limits of these; `bytes` are those beyond what each call includes.
 */
export interface AdmissionRequest {
  readonly tokenHash: string;
  readonly shard: number;
  readonly deviceId: DeviceId | undefined;
  readonly locations: number;
  readonly notifications: number;
  readonly bytes: number;
  /** False for a look at the head of a call: says whether its cost would fit, and takes nothing. */
  readonly charges: boolean;
}

/** The caller as the state store knows it at this moment; absent when the token is not good. */
export interface AdmittedCaller {
  readonly clientId: ClientId;
  readonly userId: string;
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly providers: readonly string[];
  /** Limits of its own; absent where those of the deployment hold. */
  readonly limits?: ClientLimits;
  /** There for a sandbox client: what it does is kept apart, and goes. */
  readonly sandbox?: true;
}

/** The device as seen in the same moment; absent when the caller has no such device. */
export interface AdmittedDevice {
  readonly epoch: DeviceStage;
  readonly transportId: string;
}

/** Limits that admission charges: what a client sends of each kind, and calls of a device. */
export type CallLimitName =
  'client' | 'client-locations' | 'client-notifications' | 'client-bytes' | 'device';

/** Limits of all clients of one user together: calls, items of each kind, and bytes of a day. */
export type TenantLimitName =
  'tenant' | 'tenant-locations' | 'tenant-notifications' | 'tenant-bytes';

/** A limit by its name in answers. */
export type LimitName = CallLimitName | TenantLimitName;

/**
 * State of the tightest limit after this call was charged to all it counts against: calls, items
 * and bytes of the client, and calls of the device that the call speaks for.
 */
export interface QuotaFacts {
  readonly of: LimitName;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Everything that admission needs to authorize a call, read in one step. */
export interface AdmissionFacts {
  readonly caller: AdmittedCaller | undefined;
  readonly device: AdmittedDevice | undefined;
  readonly quota: QuotaFacts | undefined;
}

/**
 * Reads the facts of one call. Calls of one event-loop turn share one round trip. Rejects with
 * Unavailable `state_unavailable` or `state_not_ready`; never answers from memory.
 */
export interface AdmissionReader {
  read(request: AdmissionRequest): Promise<AdmissionFacts>;
}
