import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { NotificationCodesRecorded } from '../../schemas/generated/types.ts';
import { parseFields } from './json-fields.ts';
import { isDecoded, type LogReader } from './record-log.ts';

/** A record of `shipment.notification-codes.v1`: what each code means from a time on. */
export type { NotificationCodesRecorded };

/** A version of the catalogue: its record, numbered from 1 in the order of the log. */
export interface NotificationCodesVersion {
  readonly version: number;
  readonly recorded: NotificationCodesRecorded;
  /** When it was appended, ms since 1970. One that came late begins to hold later. */
  readonly appendedAtMs: number;
}

/**
 * Reads every version that the log has. Its topic has one partition, so their order is certain.
 * Rejects where one cannot be read: to go on without it would decide by an older one.
 */
export async function readNotificationCodes(
  reader: LogReader,
): Promise<readonly NotificationCodesVersion[]> {
  const versions: NotificationCodesVersion[] = [];
  await reader.readToEnd([TOPICS.notificationCodes.name], async (records) => {
    for (const record of records) {
      const recorded = isDecoded(record) ? parseFields(record.value) : undefined;
      if (recorded === undefined) {
        throw new Error(`Version ${versions.length + 1} of the notification codes is unreadable.`);
      }
      versions.push({
        version: versions.length + 1,
        recorded: recorded as unknown as NotificationCodesRecorded,
        appendedAtMs: record.timestampMs,
      });
    }
  });
  return versions;
}
