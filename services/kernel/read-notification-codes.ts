import { parseFields } from './json-fields.ts';
import type { NotificationCodesRecorded, NotificationCodesVersion } from './notification-codes.ts';
import { isDecoded, type LogReader } from './record-log.ts';

/**
 * Reads every version that the log has. Its topic has one partition, so their order is certain.
 * Rejects where one cannot be read: to go on without it would decide by an older one.
 */
export async function readNotificationCodes(
  reader: LogReader, topic: string,
): Promise<readonly NotificationCodesVersion[]> {
  const versions: NotificationCodesVersion[] = [];
  await reader.readToEnd([topic], async (records) => {
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
