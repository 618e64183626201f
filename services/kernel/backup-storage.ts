/**
 * Where backups of the tables are, by the names that they have there. Rejects with
 * `Unavailable` `sink_unavailable` when it does not answer.
 */
export interface BackupStorage {
  /** Names of everything at its top that is or was a backup, whole or not. */
  names(): Promise<readonly string[]>;
  /** Removes all of one; again after a failure it goes on. */
  remove(name: string): Promise<void>;
}
