import type { DriverErased, DriverDevice } from '../../schemas/generated/types.ts';
import type { Digest } from './digest.ts';

/** That all about a driver is erased: `personal.erased-drivers.v1`. */
export type { DriverErased };

/** What decides whether a driver of one provider is erased. */
export type DriverErasure = Pick<
  DriverErased, 'client_id' | 'provider' | 'driver_hash' | 'salt' | 'received_until_ms'
>;

/** A driver as posts name it. */
export type Driver = Pick<DriverDevice, 'external_type' | 'external_id'>;

/** Erased drivers by the client and the provider of their posts. */
export type ErasedDrivers = ReadonlyMap<string, readonly DriverErasure[]>;

/** Erased drivers in the state store, for who applies posts. */
export interface ErasedDriverStates {
  /** Applies facts of the log; any order and repetition ends in the same state. */
  add(facts: readonly DriverErased[]): Promise<void>;
  /** The erased drivers of some clients. */
  of(clientIds: readonly string[]): Promise<ErasedDrivers>;
}

/** Erasures by the posts that they are about. */
export function byProvider(erased: readonly DriverErasure[]): ErasedDrivers {
  return Map.groupBy(erased, ({ client_id, provider }) => providerName(client_id, provider));
}

/** One name for a provider of a client. */
export function providerName(clientId: string, provider: string): string {
  return `${clientId} ${provider}`;
}

/** The hash of a driver under a salt. */
export function driverHash(
  digest: Digest, salt: string, { external_type, external_id }: Driver,
): string {
  return digest(`${salt}\0${external_type}\0${external_id}`);
}

/** True when what was received about a driver then is erased. */
export function isDriverErased(
  erased: readonly DriverErasure[], digest: Digest, driver: Driver, receivedAtMs: number,
): boolean {
  return erased.some(({ salt, driver_hash, received_until_ms }) => (
    receivedAtMs <= received_until_ms && driverHash(digest, salt, driver) === driver_hash
  ));
}
