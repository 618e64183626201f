import type { NamedDriver } from './driver-eraser.ts';
import type { ExportedColumn } from './view-export.ts';

/** Takes persons out of the archive of days. */
export interface ArchiveEraser {
  /** Removes what came from a device up to a time of receipt; answers how many rows went. */
  eraseDevice(deviceId: string, receivedUntilMs: number): Promise<number>;
  /** Removes what was received about a driver up to a time; answers how many rows went. */
  eraseDriver(driver: NamedDriver, receivedUntilMs: number): Promise<number>;
  /** Every driver of a provider of a client that archived files name. */
  driversOf(clientId: string, provider: string): Promise<readonly NamedDriver[]>;
}

/** Reads and rewrites Parquet files, which the analytical store does for us. */
export interface ParquetRewriter {
  /** The rows of a file without those that a condition names. */
  without(
    file: Buffer, columns: readonly ExportedColumn[], condition: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<{ readonly file: Buffer; readonly rows: number }>;
  /** Answers a query of the file, which is the table `given` there. */
  ask<Row>(
    file: Buffer, columns: readonly ExportedColumn[], query: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<readonly Row[]>;
}
