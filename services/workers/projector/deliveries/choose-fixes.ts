import type { LogRecord } from '../../../kernel/record-log.ts';
import type { TraceableOffer } from '../../../kernel/traceables.ts';
import {
  isFields, isFiniteNumber, isText, isWhole, parseFields, type Fields,
} from '../../../kernel/json-fields.ts';
import { isPlausible, readFix, type Fix, type FixConfig } from '../../../kernel/plausible-fix.ts';

interface Driver {
  readonly external_type: string;
  readonly external_id: string;
}

interface Traceable {
  readonly type: string;
  readonly id: string;
}

/** A fix with who carried what at that moment. */
interface CarriedFix {
  readonly fix: Fix;
  readonly driver: Driver;
}

/**
 * The newest place of each traceable in one post, none where no fix may be a last position, or
 * undefined when the record is not such a post. Client, provider and country are what was admitted;
 * driver and traceables come from the body, where the top level counts before a location's own.
 */
export function chooseFixes(
  config: FixConfig, record: LogRecord,
): readonly TraceableOffer[] | undefined {
  const body = parseFields(record.value);
  const items = body?.['locations'];
  const { client, provider, country } = record.headers;
  const receivedAtMs = Number(record.headers['received-at'] ?? Number.NaN);
  if (!Array.isArray(items) || !client || !provider || !country) return undefined;
  if (!isWhole(receivedAtMs)) return undefined;

  const newest = newestFixes(config, body ?? {}, items, receivedAtMs / 1000);
  if (newest === undefined) return undefined;
  const { topicId, partition, offset } = record;
  return [...newest.values()].map(({ traceable, carriedFix: { fix, driver } }): TraceableOffer => ({
    client_id: client, traceable_type: traceable.type, traceable_id: traceable.id,
    timestamp: fix.timestamp, latitude: fix.latitude, longitude: fix.longitude,
    country_id: country, ...bearingOf(fix.rest), received_at_ms: receivedAtMs, provider,
    external_type: driver.external_type, external_id: driver.external_id,
    recordId: { topicId, partition, offset },
  }));
}

/** One name for a traceable, whatever characters its type and id are made of. */
export function traceableName({ type, id }: Traceable): string {
  return JSON.stringify([type, id]);
}

type Newest = Map<string, { readonly traceable: Traceable; readonly carriedFix: CarriedFix }>;

function newestFixes(
  config: FixConfig, body: Fields, items: readonly unknown[], receivedAtSeconds: number,
): Newest | undefined {
  const shared = readTraceables(body['traceables']);
  const newest: Newest = new Map();
  let latest: CarriedFix | undefined;
  for (const item of items) {
    const fix = readFix(item);
    const driver = readDriver(body['device']) ?? readDriver(fix?.rest['device']);
    const carried = shared ?? readTraceables(fix?.rest['traceables']);
    if (fix === undefined || driver === undefined || carried === undefined) return undefined;
    if (!isPlausible(config, fix, receivedAtSeconds)) continue;
    const carriedFix = { fix, driver };
    if (shared === undefined) keepNewest(newest, carried, carriedFix);
    else if (latest === undefined || fix.timestamp >= latest.fix.timestamp) latest = carriedFix;
  }
  // Shared traceables are all where the driver was last: no need to go through every pair.
  if (shared !== undefined && latest !== undefined) keepNewest(newest, shared, latest);
  return newest;
}

function keepNewest(
  newest: Newest, carried: readonly Traceable[], carriedFix: CarriedFix,
): void {
  for (const traceable of carried) {
    const name = traceableName(traceable);
    const known = newest.get(name);
    if (known === undefined || carriedFix.fix.timestamp >= known.carriedFix.fix.timestamp) {
      newest.set(name, { traceable, carriedFix });
    }
  }
}

function readDriver(value: unknown): Driver | undefined {
  if (!isFields(value)) return undefined;
  const { external_type, external_id } = value;
  return isText(external_type) && isText(external_id) ? { external_type, external_id } : undefined;
}

function readTraceables(value: unknown): readonly Traceable[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const read: Traceable[] = [];
  for (const item of value as readonly unknown[]) {
    if (!isFields(item) || !isText(item['type']) || !isText(item['id'])) return undefined;
    read.push({ type: item['type'], id: item['id'] });
  }
  return read.length === 0 ? undefined : read;
}

function bearingOf({ bearing }: Fields): Pick<TraceableOffer, 'bearing'> {
  return isFiniteNumber(bearing) ? { bearing } : {};
}
