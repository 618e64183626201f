import { expandMacros, panelQueries } from '../support/grafana-panels.ts';
import type { Budget, Question } from './questions.ts';

const LITTLE: Budget = { seconds: 0.5, megaRows: 10 };
const DAY = (column: string): string => (
  `${column} >= {since:DateTime('UTC')} AND ${column} < {until:DateTime('UTC')}`
);
const OF_A_DEVICE = `device = {device:String}, since = {since:DateTime('UTC')},
  until = {until:DateTime('UTC')}`;
const view = (name: string, budget: Budget, sql: string): Question => (
  { name: `view ${name}`, budget, sql }
);

/** A question for each view that neither the cookbook nor a further question asks. */
export const VIEW_QUESTIONS: readonly Question[] = [
  view('v_authorization_changes', LITTLE, `
    SELECT client_id, count() FROM v_authorization_changes
    WHERE ${DAY('asked_at')} GROUP BY client_id`),
  view('v_authorization_refusals', LITTLE, `
    SELECT client_id, error_code, count() FROM v_authorization_refusals
    WHERE ${DAY('refused_at')} GROUP BY client_id, error_code`),
  view('v_command_results', LITTLE, `
    SELECT provider, outcome, count() FROM v_command_results
    WHERE ${DAY('at')} GROUP BY provider, outcome`),
  view('v_deferred_events', LITTLE, `
    SELECT name, count() FROM v_deferred_events WHERE ${DAY('start_date')} GROUP BY name`),
  view('v_delivery_outliers', LITTLE, `
    SELECT provider, reason, count() FROM v_delivery_outliers GROUP BY provider, reason`),
  view('v_device_lifecycle', LITTLE, `
    SELECT step, count() FROM v_device_lifecycle WHERE ${DAY('at')} GROUP BY step`),
  view('v_device_readings', LITTLE, `
    SELECT ts, fuel_level FROM v_device_readings(${OF_A_DEVICE}) ORDER BY ts`),
  view('v_device_track', LITTLE, `
    SELECT ts, latitude, longitude, speed FROM v_device_track(${OF_A_DEVICE}) ORDER BY ts`),
  view('v_device_zones', LITTLE, `
    SELECT time_zone, uniqExact(device_id) FROM v_device_zones
    WHERE day = {to_day:Date} GROUP BY time_zone`),
  view('v_ingest_outcomes', { seconds: 1, megaRows: 12 }, `
    SELECT kind, sum(items), sum(stored) FROM v_ingest_outcomes(
      since = {noon:DateTime64(3, 'UTC')}, until = {five_past:DateTime64(3, 'UTC')})
    GROUP BY kind`),
  view('v_local_locations', LITTLE, `
    SELECT toDate(local_ts) AS local_day, count() FROM v_local_locations
    WHERE device_id = {device:String} AND ${DAY('ts')} GROUP BY local_day`),
  view('v_local_trips', { seconds: 1, megaRows: 10 }, `
    SELECT local_day, count(), sum(distance_m) FROM v_local_trips
    WHERE provider = {provider:String} GROUP BY local_day`),
  view('v_provider_hours', LITTLE, `
    SELECT hour, devices, seconds FROM v_provider_hours
    WHERE provider = {provider:String} AND day BETWEEN {from_day:Date} AND {to_day:Date}`),
  view('v_speeding_cells', LITTLE, `
    SELECT h3, over_110_s FROM v_speeding_cells
    WHERE day = {to_day:Date} AND over_110_s > 0 ORDER BY over_110_s DESC LIMIT 100`),
  view('v_telemetry_event_outliers', LITTLE, `
    SELECT provider, reason, count() FROM v_telemetry_event_outliers GROUP BY provider, reason`),
  view('v_webhook_deliveries', LITTLE, `
    SELECT state, count() FROM v_webhook_deliveries GROUP BY state`),
  view('v_webhook_tries', LITTLE, `
    SELECT outcome, reason, count() FROM v_webhook_tries
    WHERE ${DAY('at')} GROUP BY outcome, reason`),
];

/** Questions for views that none of these names: they have no budget, so each of them fails. */
export function unasked(views: readonly string[], asked: readonly Question[]): readonly Question[] {
  const named = new Set(asked.flatMap(({ sql }) => sql.match(/\bv_\w+/g) ?? []));
  return views.filter((name) => !named.has(name)).map((name) => (
    { name: `view ${name}`, budget: undefined, sql: `SELECT * FROM ${name} LIMIT 1` }
  ));
}

/** The budget of each panel of the dashboards, by dashboard and panel. */
export const PANEL_BUDGETS: Readonly<Record<string, Budget>> = {
  'Fleet: Where each device is now': LITTLE, 'Fleet: Devices by minute': { seconds: 3, megaRows: 110 },
  'Fleet: Kilometers by day and provider': LITTLE,
  'Fleet: Quality of providers': { seconds: 1, megaRows: 12 },
};

/** The panels as they open at the end of the last whole day. */
export function panelQuestions(folder: string, nowS: number): readonly Question[] {
  return panelQueries(folder).map(({ dashboard, panel, sql, hours }) => {
    const name = `${dashboard}: ${panel}`;
    return {
      name: `panel ${name}`, budget: PANEL_BUDGETS[name],
      sql: expandMacros(sql, nowS - hours * 3_600, nowS),
    };
  });
}
