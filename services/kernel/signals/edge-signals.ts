import type { SignalTable } from './signal-row.ts';

/** Signals of a process as such, and of requests. */
export const EDGE_SIGNALS = {
  // A process.
  boot: { level: 'info', event: 'boot', fields: ['name', 'config'] },
  listening: { level: 'info', event: 'listening', fields: ['url', 'admin_url', 'rooms'] },
  working: { level: 'info', event: 'working', fields: ['workers'] },
  draining: { level: 'info', event: 'draining' },
  releaseFailed: { level: 'error', event: 'release_failed', fields: ['part', 'reason'] },
  imagesFailed: { level: 'error', event: 'images_failed', fields: ['reason'] },
  spansExported: { metrics: { rastro_trace_spans_total: 'spans' } },

  // Requests.
  requestAnswered: {
    level: 'debug', event: 'request_answered',
    fields: ['operation', 'status', 'code', 'stage', 'request_id', 'client_id'],
    metrics: { rastro_http_requests_total: 1, rastro_http_request_seconds: 'seconds' },
  },
  sandboxAnswered: {
    level: 'debug', event: 'sandbox_answered',
    fields: ['operation', 'status', 'code', 'stage', 'request_id', 'client_id'],
    metrics: { rastro_sandbox_requests_total: 1 },
  },
  unroutedRequestAnswered: { metrics: { rastro_http_requests_total: 1 } },
  requestRefused: { metrics: { rastro_http_refusals_total: 1 } },
  refusalsKept: { metrics: { rastro_http_refusals_kept_total: 'calls' } },
  requestUnreadable: { metrics: { rastro_http_unreadable_total: 1 } },
  requestQueued: { metrics: { rastro_http_parked_total: 1 } },
  requestUnavailable: {
    level: 'warn', event: 'request_unavailable',
    fields: ['operation', 'request_id', 'code', 'stage', 'reason'],
  },
  requestCrashed: {
    level: 'error', event: 'request_crashed', fields: ['operation', 'request_id', 'reason'],
  },
  itemsAccepted: { metrics: { rastro_accepted_items_total: 'items' } },
  bodyScanned: { metrics: { rastro_http_bodies_scanned_total: 1 } },
  bodyBytesHeld: { metrics: { rastro_http_body_bytes_held: 'bytes' } },

  // Live feeds.
  liveBegan: {
    level: 'info', event: 'live_began', fields: ['reason', 'devices'],
    metrics: { rastro_live_beginnings_total: 1 },
  },
  liveRested: { level: 'info', event: 'live_rested' },
  liveSeedFailed: { level: 'warn', event: 'live_seed_failed', fields: ['reason'] },
  liveReadFailed: { level: 'error', event: 'live_read_failed', fields: ['reason'] },
  liveViewers: { metrics: { rastro_live_viewers: 'viewers' } },
  liveDevices: { metrics: { rastro_live_devices: 'devices' } },
  liveBehind: { metrics: { rastro_live_behind_seconds: 'seconds' } },
  liveReset: { metrics: { rastro_live_resets_total: 1 } },
  liveStalled: { metrics: { rastro_live_stalled_total: 1 } },
} as const satisfies SignalTable;
