import type { HistoryLine, ItemKind } from '../history.ts';
import type {
  CallReceipt, FaultLine, ProcessEnd, ProviderRequest, RunRecord, Sample, ViewLine, WebhookPost,
} from '../run-files.ts';

/** One try of a call with its times in milliseconds since the begin of the run. */
export interface ClientTry extends HistoryLine {
  readonly from: number;
  readonly to: number;
}

/** A place in the log. */
export interface EntryId {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** One record of the log; `value` is undefined when its bytes are not in the wire format. */
export interface LogEntry extends EntryId {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: LooseFields | undefined;
  /** When it came into the log, in UTC milliseconds. */
  readonly timestampMs: number;
}

/** A JSON object of unknown shape. */
export type LooseFields = Readonly<Record<string, unknown>>;

/** One row of a view, as an analyst reads it. */
export interface StoredRow {
  readonly kind: ItemKind;
  readonly mark: string;
  /** As `key` of an item: device, transport, `type|id` of the traceable. */
  readonly key: string;
  readonly client_id: string;
  readonly provider: string;
  readonly content: LooseFields;
  /** True when it is in a table of outliers. */
  readonly isOutlier: boolean;
  /** `partition@offset`, where a view keeps every record as it came; else empty. */
  readonly record_id: string;
}

/** Keys of Redis with what they hold, lists and sets as they came. */
export type StateDump = ReadonlyMap<string, unknown>;

/** From when to when a fault was there; `to` is infinite when it never ended. */
export interface FaultSpan {
  readonly fault: string;
  readonly target: string;
  readonly from: number;
  readonly to: number;
}

/** A request of the product to a party, with its time. */
export interface PartyRequest extends ProviderRequest {
  readonly at: number;
}

/** A post to a webhook, with its time. */
export interface WebhookPosted extends WebhookPost {
  readonly at: number;
}

/** What a viewer of a live feed got, with its time. */
export interface SeenView extends ViewLine {
  readonly at: number;
}

/** An end that a process made, with its name. */
export interface OwnEnd extends ProcessEnd {
  readonly process: string;
}

/** A secret found where none may be. */
export interface Sighting {
  readonly source: string;
  /** Which of the run's canaries, by its place in their list: a report repeats no secret. */
  readonly canary: number;
}

/** All that is known of a run; what the invariants are computed from. */
export interface Evidence {
  readonly run: RunRecord;
  /** In the order in which they returned. */
  readonly tries: readonly ClientTry[];
  /** Per partition in the order of the log. */
  readonly log: readonly LogEntry[];
  readonly rows: readonly StoredRow[];
  readonly state: StateDump;
  /** The state after Redis was emptied and came back; undefined when that was not tried. */
  readonly rebuilt: StateDump | undefined;
  readonly requests: readonly PartyRequest[];
  /** Posts to webhooks, in the order in which they came. */
  readonly posts: readonly WebhookPosted[];
  /** What the viewers of live feeds got, in the order in which it came. */
  readonly views: readonly SeenView[];
  /** How accepted calls ended, as the gateways say; of runs that asked. */
  readonly receipts: readonly CallReceipt[];
  readonly faults: readonly FaultSpan[];
  readonly samples: readonly Sample[];
  /** In all lives of all processes, those before the run too where runs share a cluster. */
  readonly ends: readonly OwnEnd[];
  readonly sightings: readonly Sighting[];
  /** Codes of notifications that end a shipment. */
  readonly finalCodes: ReadonlySet<string>;
}

/** Makes spans of the begin and end lines of a run. */
export function spansOf(
  lines: readonly FaultLine[], msOf: (ns: string) => number,
): readonly FaultSpan[] {
  const spans: FaultSpan[] = [];
  const ends = lines.filter(({ phase }) => phase === 'end');
  for (const { phase, fault, target, t_ns } of lines) {
    if (phase !== 'begin') continue;
    const from = msOf(t_ns);
    const at = ends.findIndex((end) => (
      end.fault === fault && end.target === target && msOf(end.t_ns) >= from
    ));
    const [end] = at < 0 ? [] : ends.splice(at, 1);
    spans.push({ fault, target, from, to: end === undefined ? Infinity : msOf(end.t_ns) });
  }
  return spans;
}
