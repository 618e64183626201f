import type { LogPosition } from './devices.ts';

/** A last position as the device-keeper offers it: the newest fix of one device in one batch. */
export interface PositionOffer {
  readonly client_id: string;
  readonly device_id: string;
  readonly timestamp: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly country_id: string;
  readonly speed?: number;
  readonly bearing?: number;
  readonly ignition?: boolean;
  readonly received_at_ms: number;
  readonly provider: string;
  readonly position: LogPosition;
}

/** The last known place of a device. `timestamp` is the fix's own time in epoch seconds. */
export type LastPosition = Omit<PositionOffer, 'position'>;

/**
 * Last positions in the state store. A late fix never moves one back. After a rebuild they follow
 * in the background: until they are complete, a missing one is Fault `state_not_ready`, not absence.
 */
export interface PositionStates {
  offer(offers: readonly PositionOffer[]): Promise<void>;
  find(clientId: string, deviceId: string): Promise<LastPosition | undefined>;
  isComplete(): Promise<boolean>;
  /**
   * Says that every position in the log has been offered, if `owner` still has the right to
   * rebuild, and gives the right back.
   */
  markComplete(owner: string): Promise<boolean>;
}
