import type {
  Evidence, LooseFields, LogEntry, PartyRequest, SeenView, StoredRow, ClientTry, WebhookPosted,
} from '../faults/checker/evidence.ts';
import type { Item } from '../faults/history.ts';
import type { CallReceipt } from '../faults/run-files.ts';

/** Evidence that a test may change. */
export type Draft = { -readonly [Name in keyof Evidence]: Evidence[Name] } & {
  readonly tries: ClientTry[];
  readonly log: LogEntry[];
  readonly rows: StoredRow[];
  readonly requests: PartyRequest[];
  readonly posts: WebhookPosted[];
  readonly receipts: CallReceipt[];
  readonly views: SeenView[];
  readonly state: Map<string, unknown>;
  readonly rebuilt: Map<string, unknown>;
};

/** The clients of a good run, by their names. */
export const CLIENT_IDS: Readonly<Record<string, string>> = {
  'provider-1': '100000000000001', 'carrier-1': '100000000000002', platform: '100000000000003',
  'provider-2': '100000000000004',
};
/** When a good run begins. */
export const RECEIVED_MS = 1_764_000_000_000;

/** A try that was answered; times in ms of the run, each try a little after the one before. */
export function aTry(op: ClientTry['op'], change: Partial<ClientTry> & { at: number }): ClientTry {
  const { at, ...rest } = change;
  return {
    op, call: `call-${at}`, attempt: 1, client: 'provider-1', gateway: 'gateway-1', args: {},
    items: [], t_invoke_ns: '0', t_return_ns: '0', outcome: 'ok', status: 202, body: {},
    ingest_id: null, from: at, to: at + 2, ...rest,
  };
}

/** A location with its mark. */
export function aLocation(mark: string, key = 'dev-1', timestamp = 1_764_000_000): Item {
  const content = {
    timestamp, country_id: 'BR', latitude: 1.5, longitude: 2.5,
    metadata: [{ name: 'mark', value: mark }],
  };
  return { kind: 'location', mark, key, content };
}

/** A record at the next free offset of its topic, in partition 0 unless said. */
export function append(
  run: Draft, topic: string, key: string, value: LooseFields, change: Partial<LogEntry> = {},
): LogEntry {
  const { partition = 0 } = change;
  const own = run.log.filter((entry) => entry.topic === topic && entry.partition === partition);
  const headers = { client: CLIENT_IDS['provider-1'] ?? '', 'received-at': String(RECEIVED_MS) };
  const entry = {
    topic, partition, offset: own.length, key, headers, value,
    timestampMs: RECEIVED_MS + run.log.length, ...change,
  };
  run.log.push(entry);
  return entry;
}

/** The row of a location as it was sent. */
export function rowOf({ kind, mark, key, content }: Item): StoredRow {
  const { timestamp, latitude, longitude } = content;
  return {
    kind, mark, key, client_id: CLIENT_IDS['provider-1'] ?? '', provider: 'acme',
    content: { timestamp, latitude, longitude }, isOutlier: false, record_id: '',
  };
}

/** What a viewer got at a time of the run. */
export function aView(
  viewer: string, at: number, change: Pick<SeenView, 'event'> & Partial<SeenView>,
): SeenView {
  return { t_ns: '0', viewer, gateway: 'gateway-live', at, ...change };
}
