import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { SignalFields, SignalLevel, Signals } from '../../kernel/signals.ts';
import { writableFields } from './fields.ts';
import { METRICS, type MetricRow } from './metrics.ts';

/** How this process reports. */
export interface SignalsConfig {
  /** Name of the process in its lines: `gateways`, `workers`, … */
  readonly service: string;
  readonly level: SignalLevel;
  /** True in tests: an undeclared metric or label throws instead of being dropped. */
  readonly isStrict: boolean;
  /** True to measure the process itself too: memory, event loop, garbage collection. */
  readonly measuresProcess: boolean;
  /** Where lines go; the standard output of the process when absent. */
  readonly stream?: DestinationStream;
}

/** Signals of a running process, what a scraper reads, and its orderly end. */
export interface RunningSignals extends Signals {
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  /** Writes out what lines are still in memory. */
  readonly flush: () => void;
}

const PREFIX = 'rastro_';
const LINE_BYTES_BUFFERED = 4_096;
const FLUSH_INTERVAL_MS = 1_000;

type Instrument =
  | { readonly kind: 'counter'; readonly metric: Counter; readonly row: MetricRow }
  | { readonly kind: 'gauge'; readonly metric: Gauge; readonly row: MetricRow }
  | { readonly kind: 'histogram'; readonly metric: Histogram; readonly row: MetricRow };

/** Makes the signals of this process: one line of JSON per log, metrics from one table. */
export function createSignals(config: SignalsConfig): RunningSignals {
  const registry = new Registry();
  if (config.measuresProcess) collectDefaultMetrics({ register: registry });
  const instruments = new Map(
    Object.entries(METRICS).map(([name, row]) => [name, instrumentOf(registry, name, row)]),
  );
  const stream = config.stream ?? destination({
    dest: 1, sync: false, minLength: LINE_BYTES_BUFFERED, periodicFlush: FLUSH_INTERVAL_MS,
  });
  const logger = createLogger(config, stream);

  function instrument(
    metric: string, kind: Instrument['kind'], labels: SignalFields | undefined,
  ): Instrument | undefined {
    const name = metric.startsWith(PREFIX) ? metric : PREFIX + metric;
    const found = instruments.get(name);
    const isDeclared = found?.kind === kind
      && Object.keys(labels ?? {}).every((label) => found.row.labels.includes(label));
    if (isDeclared) return found;
    if (config.isStrict) throw new Error(`No ${kind} ${metric} with such labels is declared.`);
    const dropped = instruments.get('rastro_signals_dropped_total');
    if (dropped?.kind === 'counter') dropped.metric.inc();
    return undefined;
  }

  return {
    log(level, event, fields) {
      if (logger.isLevelEnabled(level)) logger[level](writableFields(fields ?? {}), event);
    },
    count(metric, value, labels) {
      const found = instrument(metric, 'counter', labels);
      if (found?.kind === 'counter') found.metric.inc(texts(labels), value);
    },
    gauge(metric, value, labels) {
      const found = instrument(metric, 'gauge', labels);
      if (found?.kind === 'gauge') found.metric.set(texts(labels), value);
    },
    observe(metric, seconds, labels) {
      const found = instrument(metric, 'histogram', labels);
      if (found?.kind === 'histogram') found.metric.observe(texts(labels), seconds);
    },
    metrics: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    flush: () => {
      if ('flushSync' in stream) (stream as { flushSync: () => void }).flushSync();
    },
  };
}

function createLogger({ service, level }: SignalsConfig, stream: DestinationStream): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    messageKey: 'event',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }, stream);
}

function instrumentOf(registry: Registry, name: string, row: MetricRow): Instrument {
  const { kind, help } = row;
  const shared = { name, help, labelNames: [...row.labels], registers: [registry] };
  switch (kind) {
    case 'counter': return { kind, metric: new Counter(shared), row };
    case 'gauge': return { kind, metric: new Gauge(shared), row };
    case 'histogram':
      return { kind, metric: new Histogram({ ...shared, buckets: [...row.buckets ?? []] }), row };
  }
}

function texts(labels: SignalFields | undefined): Record<string, string | number> {
  const written: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(labels ?? {})) {
    if (value !== undefined) written[name] = typeof value === 'number' ? value : String(value);
  }
  return written;
}
