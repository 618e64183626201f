import type { ExportedView } from '../../kernel/view-export.ts';

/** The fixes of devices, of which ways are made. */
export const FIXES: ExportedView = {
  name: 'v_locations', time: 'ts', key: 'device_id', geometry: 'point', isTrack: true,
};

/** Every view that analysts read, and how it is exported; a test holds the list to the schema. */
export const EXPORTED_VIEWS: readonly ExportedView[] = [
  FIXES,
  { name: 'v_telemetry', time: 'ts', key: 'device_id', geometry: 'point' },
  { name: 'v_location_outliers', time: 'received_at', key: 'device_id', geometry: 'point' },
  { name: 'v_device_last', key: 'device_id', geometry: 'point' },
  { name: 'v_telemetry_events', time: 'start_date', key: 'device_id', geometry: 'point' },
  { name: 'v_telemetry_event_outliers', time: 'received_at', key: 'device_id' },
  { name: 'v_deferred_answers', time: 'received_at', key: 'request_id' },
  { name: 'v_deferred_events', time: 'received_at', key: 'request_id', geometry: 'point' },
  { name: 'v_delivery_locations', time: 'ts', key: 'traceable_id', geometry: 'point', isTrack: true },
  { name: 'v_delivery_outliers', time: 'received_at', key: 'traceable_id' },
  { name: 'v_traceable_last', key: 'traceable_id', geometry: 'point' },
  { name: 'v_authorizations', time: 'authorized_at', key: 'transport_order_id' },
  { name: 'v_authorization_changes', time: 'asked_at', key: 'transport_order_id' },
  { name: 'v_authorization_refusals', time: 'refused_at', key: 'transport_order_id' },
  { name: 'v_notifications', time: 'received_at', key: 'tracking_number' },
  { name: 'v_journeys', time: 'received_at', key: 'tracking_number' },
  { name: 'v_shipment_last', key: 'tracking_number' },
  { name: 'v_shipment_traceables', key: 'traceable_id' },
  { name: 'v_shipment_places', key: 'tracking_number', geometry: 'point' },
  { name: 'v_planned_stops', time: 'planned_arrival', key: 'provider', geometry: 'point' },
  { name: 'v_on_time', time: 'planned_arrival', key: 'provider' },
  { name: 'v_dead_letters', key: 'signature' },
  { name: 'v_audits', time: 'at', key: 'audit_id' },
  { name: 'v_webhook_tries', time: 'at', key: 'record_id' },
  { name: 'v_webhook_deliveries', time: 'last_at', key: 'record_id' },
  { name: 'v_ingest_outcomes', time: 'received_at', isWindowed: true, key: 'ingest_id' },
  { name: 'v_ingest_balance', time: 'minute', isWindowed: true, key: 'provider' },
  { name: 'v_ingest_gaps', isWindowed: true, isWhole: true, key: 'topic' },
  { name: 'v_device_minutes', time: 'minute', key: 'device_id', geometry: 'point' },
  {
    name: 'v_device_days', time: 'day', key: 'device_id', geometry: ['first', 'last'],
    fixesMax: 'seconds',
  },
  {
    name: 'v_trips', time: 'day', key: 'device_id', geometry: ['start', 'end'],
    fixesMax: 'duration_s + 1',
  },
  { name: 'v_battery_days', time: 'day', key: 'device_id' },
  { name: 'v_stops', time: 'day', key: 'device_id', geometry: 'point' },
  { name: 'v_device_zones', time: 'day', key: 'device_id' },
  { name: 'v_local_days', time: 'local_day', key: 'device_id', geometry: 'point' },
  {
    name: 'v_local_trips', time: 'local_day', key: 'device_id', geometry: ['start', 'end'],
    fixesMax: 'duration_s + 1',
  },
  { name: 'v_local_hours', time: 'day', key: 'device_id' },
  { name: 'v_local_locations', time: 'ts', key: 'device_id', geometry: 'point', isTrack: true },
  { name: 'v_zones', key: 'zone_id', geometry: 'point' },
  { name: 'v_visits', time: 'enter_ts', key: 'device_id' },
  { name: 'v_dwell', time: 'day', key: 'zone_id' },
  { name: 'v_od', time: 'hour', key: 'origin_zone' },
  { name: 'v_speeding_cells', time: 'day', key: 'provider', geometry: 'point' },
  { name: 'v_heat', time: 'day', key: 'provider', geometry: 'point' },
  { name: 'v_event_rates', time: 'day', key: 'device_id' },
  { name: 'v_provider_quality', isWindowed: true, isWhole: true, key: 'provider' },
  { name: 'v_provider_hours', time: 'hour', key: 'provider' },
  { name: 'v_device_lifecycle', time: 'at', key: 'device_id' },
  { name: 'v_devices', key: 'device_id' },
  { name: 'v_command_results', time: 'at', key: 'command_id' },
  { name: 'v_commands', time: 'issued_at', isWhole: true, key: 'command_id' },
];

/** The formats of `rastro export`. */
export const FORMATS = ['csv', 'parquet', 'geoparquet', 'geojson', 'gpx'] as const;

/** One of them. */
export type ExportFormat = (typeof FORMATS)[number];

/** The formats that a view can have: maps need points or lines, GPX needs tracks or ways. */
export function formatsOf({ geometry, isTrack, fixesMax }: ExportedView): readonly ExportFormat[] {
  const lacks: readonly ExportFormat[] = [
    ...(geometry === undefined ? ['geoparquet', 'geojson'] as const : []),
    ...(isTrack === true || fixesMax !== undefined ? [] : ['gpx'] as const),
  ];
  return FORMATS.filter((format) => !lacks.includes(format));
}

/** A line for each view: its formats, and the time of its window. */
export function viewLines(): readonly string[] {
  return EXPORTED_VIEWS.map((view) => {
    const time = view.isWindowed === true ? 'of receipt' : view.time ?? 'without a window';
    return [view.name.padEnd(27), formatsOf(view).join(' ').padEnd(37), time].join(' ');
  });
}
