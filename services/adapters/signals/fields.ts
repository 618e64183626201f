import type { SignalFields } from '../../kernel/signals.ts';

/**
 * The facts that a log line may carry. A name that is not here is left out of the line: a list of
 * what is allowed cannot forget a new secret, a list of what is forbidden can.
 */
export const LOG_FIELDS: ReadonlySet<string> = new Set([
  'address', 'admin_url', 'attempt', 'attempts', 'batch', 'broker', 'bytes', 'client_id', 'code',
  'config', 'count', 'dead_lettered', 'deadline_ms', 'device_id', 'duration_ms', 'error',
  'events', 'failures', 'freshness_seconds', 'from', 'generation', 'group', 'host', 'id',
  'ingest_id', 'items', 'lag', 'locations', 'message', 'name', 'names', 'namespace', 'offset',
  'offsets', 'operation', 'operations', 'outcome', 'part', 'partition', 'partitions', 'parts',
  'port', 'positions', 'provider', 'reason', 'rebuild_id', 'records', 'replicas', 'request_id',
  'rooms', 'rows', 'schema_id', 'script', 'seconds', 'shard', 'shards', 'share', 'signal',
  'stage', 'started', 'status', 'subject', 'table', 'tables', 'to', 'topic', 'topics', 'url',
  'version', 'waiting', 'what', 'worker', 'workers',
]);

const TEXT_CHARACTERS_MAX = 8_000;

// The second net, for a secret that came inside an allowed text, such as an error of a library.
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 ***'],
  [/\b[0-9a-f]{2}[A-Za-z0-9_-]{43}\b/g, '***'],
  [/(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g, '$1:***@'],
  [
    /(?<![A-Za-z])(password|secret|token|pepper|authorization)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
    '$1$2***',
  ],
];

/** The fields of a line that may be written, with texts cut and secrets covered. */
export function writableFields(fields: SignalFields): Record<string, string | number | boolean> {
  const written: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || !LOG_FIELDS.has(name)) continue;
    written[name] = typeof value === 'string' ? covered(value) : value;
  }
  return written;
}

function covered(text: string): string {
  const cut = text.slice(0, TEXT_CHARACTERS_MAX);
  return SECRETS.reduce((seen, [secret, cover]) => seen.replaceAll(secret, cover), cut);
}
