/** A place in a trace as W3C Trace Context writes it: `00-<trace>-<span>-<flags>`. */
export type TraceParent = string;

/** Name of the header, in HTTP and of records, by which a trace goes on elsewhere. */
export const TRACE_HEADER = 'traceparent';

/** What is known when a span begins. Never an id of a device, a token or personal data. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'producer' | 'consumer' | 'client';
  /** Goes on from there; else from the span that runs; else a trace begins. */
  readonly parent?: TraceParent | undefined;
  /** Other places that led here. */
  readonly links?: readonly TraceParent[];
  readonly attributes?: SpanFacts;
}

/** Facts that go with a span, as bounded as the labels of a metric, or counts. */
export type SpanFacts = Readonly<Record<string, string | number>>;

/** Records facts of a span; `isFailed` where it failed without an exception. */
export type RecordInSpan = (facts: SpanFacts, isFailed?: boolean) => void;

/** Traces work. Where nothing is traced there is none, and it costs nothing. */
export interface Tracer {
  /** Runs `work` in a span that ends with it, failed when it rejects. */
  trace<Result>(start: SpanStart, work: (record: RecordInSpan) => Promise<Result>): Promise<Result>;
  /** Where the running work stands; undefined where nothing is recorded. */
  current(): TraceParent | undefined;
}
