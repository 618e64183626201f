import type { LocationFix } from '../../../schemas/generated/types.ts';
import type { NaiveDay } from '../../support/naive-days/naive-days.ts';

/** A recorded track, its times moved by whole days to the day of the test. */
export interface TestTrack {
  readonly device: string;
  readonly provider: string;
  readonly fixes: readonly LocationFix[];
  readonly days: readonly NaiveDay[];
}
