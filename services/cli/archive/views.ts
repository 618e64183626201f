import { EXPORTED_VIEWS } from '../export/views.ts';
import type { ArchivedView } from './archive-view.ts';

/** What changes with anything that comes for a day, by view. */
const MARKS: Readonly<Record<string, string>> = {
  v_locations: 'max(received_at)',
  v_telemetry: 'max(received_at)',
  v_telemetry_events: 'max(received_at)',
  v_delivery_locations: 'max(received_at)',
  v_device_days: 'max(computed_at)',
  v_trips: 'sum(cityHash64(*))',
  v_stops: 'sum(cityHash64(*))',
};

/** The views whose days are archived: what was sent, and what is computed of it. */
export const ARCHIVED_VIEWS: readonly ArchivedView[] = EXPORTED_VIEWS.flatMap((view) => {
  const mark = MARKS[view.name];
  return mark === undefined ? [] : [{ view, mark }];
});
