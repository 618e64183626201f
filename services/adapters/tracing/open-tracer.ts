import { AsyncLocalStorage } from 'node:async_hooks';
import {
  isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace as traces, TraceFlags,
  type Context, type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import { isUnavailable } from '../../kernel/unavailable.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { SpanStart, TraceParent, Tracer } from '../../kernel/tracing.ts';

/** Who traces, how many, and where to. */
export interface TracingConfig {
  /** Name of the process: `gateways`, `workers`. */
  readonly service: string;
  /** Address of a collector that takes OTLP over HTTP, without the path. */
  readonly endpoint: string;
  /** Ratio of calls that are traced, 0 to 1. */
  readonly ratio: number;
}

/** A tracer, and its orderly end. */
export interface RunningTracer extends Tracer {
  /** Sends what is still in memory; what the collector does not take is lost. */
  readonly close: () => Promise<void>;
}

const EXPORT_MS_MAX = 5_000;
const EXPORT_EVERY_MS = 1_000;
const SPANS_WAITING_MAX = 2_048;
const SPANS_PER_EXPORT_MAX = 512;
const FACTS_MAX = 16;
const FACT_CHARACTERS_MAX = 200;
/** Links of one span; a batch may have thousands of records. */
export const LINKS_MAX = 128;

const PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const KINDS = {
  server: SpanKind.SERVER, producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
} as const;

/**
 * Opens a tracer that sends its spans to a collector. Nothing waits for it: what does not fit into
 * its queue, or is not taken, is dropped and counted. Registers nothing globally.
 */
export function openTracer(
  config: TracingConfig, ports: { readonly signals: Signals },
): RunningTracer {
  const running = new AsyncLocalStorage<Context>();
  const provider = providerOf(config, ports.signals);
  const tracer = provider.getTracer('rastro');

  return {
    trace(start, work) {
      const parent = parentOf(start.parent) ?? running.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(start.name, {
        kind: KINDS[start.kind],
        attributes: { ...start.attributes },
        links: linksOf(start),
      }, parent);
      return running.run(traces.setSpan(parent, span), async () => {
        try {
          return await work((facts, isFailed = false) => {
            span.setAttributes(facts);
            if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          });
        } catch (error) {
          // The text of an error may quote data; its code never does.
          span.setAttribute('rastro.code', isUnavailable(error) ? error.code : 'internal');
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },

    current() {
      const context = running.getStore();
      const spanContext = context === undefined ? undefined : traces.getSpanContext(context);
      if (spanContext === undefined) return undefined;
      if ((spanContext.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
      return `00-${spanContext.traceId}-${spanContext.spanId}-01`;
    },

    async close() {
      try {
        await provider.shutdown();
      } catch {
        // The collector did not take the last of them: counted as lost, and no reason not to end.
      }
    },
  };
}

function providerOf({ service, endpoint, ratio }: TracingConfig, signals: Signals): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: EXPORT_MS_MAX, concurrencyLimit: 1,
  });
  return new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `rastro-${service}` }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: {
      attributeCountLimit: FACTS_MAX, attributeValueLengthLimit: FACT_CHARACTERS_MAX,
      linkCountLimit: LINKS_MAX,
    },
    spanProcessors: [new BatchSpanProcessor({
      exporter: counted(exporter, signals),
      maxQueueSize: SPANS_WAITING_MAX,
      maxExportBatchSize: SPANS_PER_EXPORT_MAX,
      scheduledDelayMillis: EXPORT_EVERY_MS,
      exportTimeoutMillis: EXPORT_MS_MAX,
    })],
  });
}

function counted(exporter: SpanExporter, signals: Signals): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const { code }: { readonly code: number } = result;
        const outcome = code === 0 ? 'sent' : 'lost';
        signals.spansExported({ outcome, spans: spans.length });
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function parentOf(parent: TraceParent | undefined): Context | undefined {
  const spanContext = parent === undefined ? undefined : spanContextOf(parent);
  return spanContext === undefined ? undefined : traces.setSpanContext(ROOT_CONTEXT, spanContext);
}

function linksOf({ links = [] }: SpanStart): { readonly context: SpanContext }[] {
  return links.slice(0, LINKS_MAX).flatMap((link) => {
    const context = spanContextOf(link);
    return context === undefined ? [] : [{ context }];
  });
}

/** Undefined for a text that is no place in a trace. */
function spanContextOf(parent: TraceParent): SpanContext | undefined {
  const [, traceId, spanId, flags] = PARENT.exec(parent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(spanContext) ? spanContext : undefined;
}
