import { TOPICS } from '../../schemas/generated/catalog.ts';
import type { NotificationCodesRecorded } from '../../schemas/generated/types.ts';
import { eachFact } from './each-fact.ts';
import type { LogReader } from './record-log.ts';

/** A record of `shipment.notification-codes.v1`: what each code means from a time on. */
export type { NotificationCodesRecorded };

/** A version of the catalogue: its record, numbered from 1 in the order of the log. */
export interface NotificationCodesVersion {
  readonly version: number;
  readonly recorded: NotificationCodesRecorded;
}

/** Reads every version that the log has. Its topic has one partition, so their order is certain. */
export async function readNotificationCodes(
  reader: LogReader,
): Promise<readonly NotificationCodesVersion[]> {
  const versions: NotificationCodesVersion[] = [];
  await eachFact<NotificationCodesRecorded>(
    reader, [TOPICS.notificationCodes.name], (recorded) => {
      versions.push({ version: versions.length + 1, recorded });
    },
  );
  return versions;
}
