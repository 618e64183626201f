import { TOPICS } from '../../../schemas/generated/catalog.ts';
import { Unavailable } from '../../kernel/unavailable.ts';
import { isDecoded } from '../../kernel/record-log.ts';
import { REPLAYED_FROM, REAPPLIES } from '../../kernel/record-id.ts';
import type { RowSink } from '../../kernel/row-sink.ts';
import type { ConsumedRecord } from '../common/outcomes.ts';
import { receivedAtMs } from '../common/received-at.ts';
import type { TableWriterConfig } from './config.ts';
import { itemsOf } from './splice-metadata.ts';
import type { TableBatch } from './table-batches.ts';

/** Landing table of the ledger. */
export const LEDGER_TABLE = 'in_ingest_records';

/** Kind of a record of which something was erased: it is read, and accounts for no item. */
const ERASED = 'erased';

// What the columns hold; beyond it the row says the nearest, for the ledger must refuse nothing.
const ITEMS_MAX = 4_294_967_295;
const YEAR_2100_MS = 4_102_444_800_000;

/**
 * Enters every record of a batch into the ledger of what was read, good or bad. Rows are named by
 * place, so that repeating it changes nothing. Throws `Unavailable` `sink_rejected` when the store
 * refuses a row: no sender can bring that about, so the table is at fault.
 */
export async function enterRecords(
  { itemsMax }: Pick<TableWriterConfig, 'itemsMax'>, sink: RowSink,
  tableBatches: readonly TableBatch[], token: string,
  isErased: (record: ConsumedRecord) => boolean = () => false,
): Promise<void> {
  const lines = tableBatches.flatMap(({ table, records }) => (
    records.map((record) => ledgerLine(record, isErased(record) ? ERASED : table))
  ));
  for (let from = 0; from < lines.length; from += itemsMax) {
    const part = lines.slice(from, from + itemsMax);
    const answer = await sink.insert(LEDGER_TABLE, part, `${token}#${from}-${from + part.length}`);
    if (answer.kind === 'stored') continue;
    throw new Unavailable('sink_rejected', 'insert', `the ledger refuses a row: ${answer.detail}`);
  }
}

/**
 * The record id, whose it is and how many items the gateway counted; nothing
 * of its value. `kind` is the landing table without its `in_`. Offsets are written as digits, since
 * a number could not hold them all.
 */
function ledgerLine(record: ConsumedRecord, table: string): Uint8Array {
  const { headers } = record;
  const text = (name: string): string => JSON.stringify(headers[name] ?? '');
  // A notification that reapplies another counts in the receipt of that one.
  const from = headers[REPLAYED_FROM] ?? headers[REAPPLIES] ?? '';
  const key = keptKey(record, table);
  return Buffer.from(`{"ingest_id":${text('ingest-id')},"topic":${JSON.stringify(record.topic)}`
    + `,"topic_id":${JSON.stringify(record.topicId)},"partition":${record.partition}`
    + `,"offset":${record.offset},"kind":${JSON.stringify(table.replace(/^in_/, ''))}`
    + `,"key":${JSON.stringify(key)},"client":${text('client')},"provider":${text('provider')}`
    + `,"items":${Math.min(itemsOf(record), ITEMS_MAX)}`
    + `,"received_at_ms":${kept(receivedAtMs(record))},"logged_at_ms":${kept(record.timestampMs)}`
    + `,"replayed_from":${JSON.stringify(from)}}`);
}

/** The key of a post of deliveries names its first driver. */
function keptKey(record: ConsumedRecord, table: string): string {
  if (table === ERASED && record.topic === TOPICS.deliveryLocations.name) return '';
  return isDecoded(record) ? record.key : record.rawKey?.toString('utf8') ?? '';
}

function kept(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, 0), YEAR_2100_MS);
}
