import { EXPORTED_VIEWS } from '../export/views.ts';
import type { ExportedView } from '../../kernel/view-export.ts';
import type { ArchivedView } from './archive-view.ts';

const FIXES = 'v_locations';

/** What changes with anything that comes for a day, and of what it is computed, by view. */
const ARCHIVED: Readonly<Record<string, { readonly mark: string; readonly of?: string }>> = {
  v_locations: { mark: 'max(received_at)' },
  v_telemetry: { mark: 'max(received_at)' },
  v_telemetry_events: { mark: 'max(received_at)' },
  v_delivery_locations: { mark: 'max(received_at)' },
  v_device_days: { mark: 'max(computed_at)', of: FIXES },
  v_trips: { mark: 'sum(cityHash64(*))', of: FIXES },
  v_stops: { mark: 'sum(cityHash64(*))', of: FIXES },
};

/** The views whose days are archived: what was sent, and what is computed of it. */
export const ARCHIVED_VIEWS: readonly ArchivedView[] = EXPORTED_VIEWS.flatMap((view) => {
  const archived = ARCHIVED[view.name];
  if (archived === undefined) return [];
  const { mark, of = view.name } = archived;
  return [{ view, mark, source: viewOf(of) }];
});

function viewOf(wanted: string): ExportedView {
  const found = EXPORTED_VIEWS.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`No view ${wanted} is exported.`);
  return found;
}
