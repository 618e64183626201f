import type { NotificationCodesRecorded } from '../../schemas/generated/types.ts';

/** A record of `shipment.notification-codes.v1`: what each code means from a time on. */
export type { NotificationCodesRecorded };

/** A version of the catalogue: its record, numbered from 1 in the order of the log. */
export interface NotificationCodesVersion {
  readonly version: number;
  readonly recorded: NotificationCodesRecorded;
  /** When it was appended, ms since 1970. One that came late begins to hold later. */
  readonly appendedAtMs: number;
}
