/** Where a table writer was in a partition: everything before `next` is in the tables. */
export interface BackupOffset {
  readonly topic: string;
  readonly topicId: string;
  readonly partition: number;
  readonly next: bigint;
}

/** A backup of the tables. */
export interface TableBackup {
  readonly name: string;
  /** The backup whose parts it does not hold again; undefined when it needs none. */
  readonly base: string | undefined;
  readonly startedAtMs: number;
  /** Taken before the backup began: the log from there on may be missing in it. */
  readonly offsets: readonly BackupOffset[];
}

/** How an attempt to write a backup ended. */
export type BackupWritten = 'written' | 'name_taken' | 'base_missing';

/**
 * Backups of the tables of one database, on the disk that the store was given for them. Rejects
 * with `Unavailable` `sink_unavailable` when the store cannot do what it is asked.
 */
export interface TableBackups {
  /** The whole backups that the tables know of, newest first. */
  finished(): Promise<readonly TableBackup[]>;
  /** Enters a backup that begins into the tables, so that it holds its own row. */
  begin(backup: TableBackup): Promise<void>;
  /** Writes the tables as they are now. */
  write(backup: TableBackup): Promise<BackupWritten>;
  /** Enters that a backup is whole. */
  finish(backup: TableBackup, finishedAtMs: number): Promise<void>;
  /** What a backup says of itself; undefined when there is none of this name. */
  find(name: string): Promise<TableBackup | undefined>;
  /** True when the database has a table with rows that came from the log. */
  hasRows(): Promise<boolean>;
  /** Removes the database and makes it as it was in the backup. */
  restore(name: string): Promise<void>;
  /** Makes another database like the one in the backup, in place of what has that name. */
  restoreAside(name: string, database: string): Promise<void>;
}

/** Asks when the newest whole backup was done. Rejects with `Unavailable` `sink_unavailable`. */
export interface NewestBackupReader {
  /** Epoch milliseconds; where there is no backup, when the tables were made. */
  sinceMs(): Promise<number>;
}
