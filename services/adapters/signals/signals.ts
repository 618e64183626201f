import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { SignalFields, SignalLevel, Signals } from '../../kernel/signals.ts';
import { writableFields } from './fields.ts';
import { createInstruments } from './instruments.ts';
import type { MetricRow } from './metrics.ts';

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

const LINE_BYTES_BUFFERED = 4_096;
const FLUSH_INTERVAL_MS = 1_000;

/** Makes the signals of this process: one line of JSON per log, metrics from one table. */
export function createSignals(config: SignalsConfig): RunningSignals {
  const registry = new Registry();
  if (config.measuresProcess) collectDefaultMetrics({ register: registry });
  const instruments = createInstruments(registry);
  const stream = config.stream ?? destination({
    dest: 1, sync: false, minLength: LINE_BYTES_BUFFERED, periodicFlush: FLUSH_INTERVAL_MS,
  });
  const logger = createLogger(config, stream);

  function report(
    kind: MetricRow['kind'], metric: string, value: number, labels?: SignalFields,
  ): void {
    if (instruments.report(kind, metric, value, labels)) return;
    if (config.isStrict) throw new Error(`No ${kind} ${metric} with such labels is declared.`);
    instruments.report('counter', 'rastro_signals_dropped_total', 1);
  }

  return {
    log(level, event, fields) {
      if (logger.isLevelEnabled(level)) logger[level](writableFields(fields ?? {}), event);
    },
    count: (metric, value, labels) => report('counter', metric, value, labels),
    gauge: (metric, value, labels) => report('gauge', metric, value, labels),
    observe: (metric, value, labels) => report('histogram', metric, value, labels),
    async metrics() {
      instruments.settle();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
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
