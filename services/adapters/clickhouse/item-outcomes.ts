import { Unavailable } from '../../kernel/unavailable.ts';
import type { AcceptedCall, ItemOutcomeReader, RecordOutcome } from '../../kernel/ingest.ts';
import type { ClickHouse, ResultRow } from './clickhouse.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-([\da-f])[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/i;
/** What names a record of a call. */
const KEY = ['kind', 'k_partition', 'k_offset'];
const NIL = '00000000-0000-0000-0000-000000000000';
const DAY_MS = 86_400_000;
/** Records of these kinds have items that clients sent. */
const ITEM_KINDS = "'locations', 'telemetry_events', 'deferred_events', 'delivery_locations', "
  + "'notifications'";

/** Without a client the call of any: the platform sees all of them. */
const OF_CLIENT = "({client:String} = '' OR client_id = {client:String})";

/** When a call was received, by its id. Records of one call were received at one time. */
const RECEIVED = `
SELECT toString(toUnixTimestamp64Milli(min(received_at))) AS first,
       toString(toUnixTimestamp64Milli(max(received_at))) AS last, count() AS records
FROM ingest_records
WHERE ingest_id = UUIDStringToNum({id:String}) AND ${OF_CLIENT}
  AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND received_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')`;

const COUNTED = 'stored, duplicate, outlier, out_of_order, ignored_after_final, disputed, '
  + 'dead_lettered';

const outcomesBetween = (since: string, until: string): string => `
SELECT kind, topic, k_partition, k_offset, toUnixTimestamp64Milli(received_at) AS received_at_ms,
       items, ${COUNTED}, waiting + missing AS open, rule, unmapped, stage, code
FROM v_ingest_outcomes(since = '${since}', until = '${until}')
WHERE ingest_id = {id:String} AND ${OF_CLIENT}
ORDER BY topic_id, k_partition, k_offset
LIMIT 1000`;

/** Why items of a moment are outliers; those that had been sent before are not named again. */
const OUTLIER_REASONS = `
SELECT kind, k_partition, k_offset, reason, count() AS items
FROM (SELECT 'locations' AS kind, k_partition, k_offset, reason, received_at, client_id
      FROM v_location_outliers WHERE v_location_outliers.kind = 'location'
      UNION ALL
      SELECT 'telemetry_events', k_partition, k_offset, reason, received_at, client_id
      FROM v_telemetry_event_outliers
      UNION ALL
      SELECT 'delivery_locations', k_partition, k_offset, reason, received_at, client_id
      FROM v_delivery_outliers)
WHERE ${OF_CLIENT}
  AND received_at >= parseDateTime64BestEffort({since:String}, 3, 'UTC')
  AND received_at < parseDateTime64BestEffort({until:String}, 3, 'UTC')
GROUP BY kind, k_partition, k_offset, reason`;

/** Items that a client sent since then, without what was replayed. */
const OWN_ITEMS = `client_id = {client:String} AND kind IN (${ITEM_KINDS})
        AND replayed_from = '' AND ingest_id != UUIDStringToNum('${NIL}')
        AND received_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')`;
/**
 * The ids are read backwards, as the table is ordered by them, so that a client that sends much
 * costs no more than these calls. A record that was inserted twice counts once.
 */
const NEWEST = `
SELECT toString(UUIDNumToString(id)) AS ingest_id,
       toString(toUnixTimestamp64Milli(min(received))) AS received_at_ms,
       any(of_record) AS kind, any(sender) AS provider, toString(sum(counted)) AS items
FROM (SELECT ingest_id AS id, received_at AS received, kind AS of_record, provider AS sender,
             items AS counted
      FROM ingest_records
      WHERE ${OWN_ITEMS}
        AND ingest_id IN (SELECT DISTINCT ingest_id FROM ingest_records
                          WHERE ${OWN_ITEMS}
                          ORDER BY ingest_id DESC
                          LIMIT {limit:UInt32})
      LIMIT 1 BY ingest_id, topic_id, k_partition, k_offset)
GROUP BY id
ORDER BY id DESC`;

/**
 * Reads outcomes from an open store, as the user `history`: first the time of the call by its id,
 * then the outcomes of that moment. Without a store every call throws `Unavailable`.
 */
export function createItemOutcomeReader(store: Pick<ClickHouse, 'query'> | undefined): ItemOutcomeReader {
  function opened(): Pick<ClickHouse, 'query'> {
    if (store !== undefined) return store;
    throw new Unavailable('sink_unavailable', 'receive', 'no analytical store is configured');
  }
  return {
    async newest(client, { sinceMs, limit }) {
      const rows = await opened().query(NEWEST, { client, from: sinceMs, limit });
      return rows.map(acceptedIn);
    },
    async find(clientId, ingestId) {
      const tables = opened();
      const id = ingestId.toLowerCase();
      if (!UUID.test(id) || id === NIL) return [];
      const asked = { id, client: clientId ?? '' };
      const [received] = await tables.query(RECEIVED, { ...asked, ...spanOf(id) });
      if (received === undefined || Number(received['records']) === 0) return [];
      const since = textOf(Number(received['first']));
      const until = textOf(Number(received['last']) + 1);
      const rows = await tables.query(outcomesBetween(since, until), asked);
      const reasons = rows.every((row) => Number(row['outlier']) === 0)
        ? [] : await tables.query(OUTLIER_REASONS, { ...asked, since, until });
      return rows.map((row) => outcomeOf(row, reasons));
    },
  };
}

function acceptedIn(row: ResultRow): AcceptedCall {
  return {
    ingestId: String(row['ingest_id']), received_at_ms: Number(row['received_at_ms']),
    kind: String(row['kind']), provider: String(row['provider']), items: Number(row['items']),
  };
}

/** A UUIDv7 says when it was made, and so which partitions to read; others do not. */
function spanOf(id: string): { readonly from: number; readonly until: number } {
  if (UUID.exec(id)?.[1] !== '7') return { from: 0, until: 4_102_444_800_000 };
  const madeMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return { from: madeMs - DAY_MS, until: madeMs + DAY_MS };
}

function textOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 23).replace('T', ' ');
}

function outcomeOf(row: ResultRow, reasons: readonly ResultRow[]): RecordOutcome {
  const count = (name: string): number => Number(row[name]);
  const text = (name: string): string => String(row[name]);
  return {
    kind: text('kind'), topic: text('topic'), partition: count('k_partition'),
    offset: count('k_offset'), received_at_ms: count('received_at_ms'), items: count('items'),
    outcomes: {
      stored: count('stored'), duplicate: count('duplicate'), outlier: count('outlier'),
      out_of_order: count('out_of_order'), ignored_after_final: count('ignored_after_final'),
      disputed: count('disputed'), dead_lettered: count('dead_lettered'),
    },
    outlierReasons: Object.fromEntries(
      reasons.filter((each) => KEY.every((name) => String(each[name]) === text(name)))
        .map(({ reason, items }) => [String(reason), Number(items)]),
    ),
    waiting: count('open'),
    rule: text('rule') === '' ? undefined : text('rule'),
    unmapped: row['unmapped'] === true,
    deadLetter: text('code') === '' ? undefined : { stage: text('stage'), code: text('code') },
  };
}
