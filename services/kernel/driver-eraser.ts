import type { Traceable } from '../../schemas/generated/types.ts';
import type { Driver } from './erased-drivers.ts';

/** A driver as one client's posts at one provider name it. */
export interface NamedDriver extends Driver {
  readonly client_id: string;
  readonly provider: string;
}

/** Erases what the analytical store has about a driver. */
export interface DriverEraser {
  /** Every driver of a provider of a client that the tables name. */
  driversOf(clientId: string, provider: string): Promise<readonly NamedDriver[]>;
  /** What has its last position from the driver. */
  traceablesOf(driver: NamedDriver): Promise<readonly Traceable[]>;
  /**
   * Deletes what was received about the driver up to a time, and computes again what is left.
   * Answers how many rows were deleted.
   */
  erase(driver: NamedDriver, receivedUntilMs: number): Promise<number>;
}
