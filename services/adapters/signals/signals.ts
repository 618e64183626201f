import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { makeSignals, type AnyFacts, type Signals } from '../../kernel/signals.ts';
import type { NumberFact, SignalLevel } from '../../kernel/signals/facts.ts';
import type { MetricName } from '../../kernel/signals/metrics.ts';
import type { SignalRow } from '../../kernel/signals/signal-row.ts';
import { covered } from './covered.ts';
import { createInstruments, type Instruments } from './instruments.ts';

/** How this process reports. */
export interface SignalsConfig {
  /** Name of the process in its lines: `gateways`, `workers`, … */
  readonly service: string;
  readonly level: SignalLevel;
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

type Emit = (facts: AnyFacts) => void;

const LINE_BYTES_BUFFERED = 4_096;
const FLUSH_INTERVAL_MS = 1_000;

/** Makes the signals of this process: lines of JSON and metrics, as the table says. */
export function createSignals(config: SignalsConfig): RunningSignals {
  const registry = new Registry();
  if (config.measuresProcess) collectDefaultMetrics({ register: registry });
  const instruments = createInstruments(registry);
  const stream = config.stream ?? destination({
    dest: 1, sync: false, minLength: LINE_BYTES_BUFFERED, periodicFlush: FLUSH_INTERVAL_MS,
  });
  const logger = createLogger(config, stream);

  return {
    ...makeSignals((row) => inOrder([...reportersOf(row, instruments), ...writersOf(row, logger)])),
    async metrics() {
      instruments.flush();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    flush: () => {
      if ('flushSync' in stream) (stream as { flushSync: () => void }).flushSync();
    },
  };
}

function reportersOf({ metrics = {} }: SignalRow, instruments: Instruments): readonly Emit[] {
  return (Object.entries(metrics) as [MetricName, 1 | NumberFact][])
    .map(([metric, value]) => instruments.reporter(metric, value));
}

/** What writes the line of a signal; nothing when its level is not written by this process. */
function writersOf(row: SignalRow, logger: Logger): readonly Emit[] {
  const { level, event, fields = [] } = row;
  if (level === undefined || event === undefined) return [];
  if (level === 'given') {
    return [(facts) => { logger[facts['level'] as SignalLevel](lineOf(fields, facts), event); }];
  }
  if (!logger.isLevelEnabled(level)) return [];
  return [(facts) => { logger[level](lineOf(fields, facts), event); }];
}

/** The fields that the table names; whatever else the facts hold is left out of the line. */
function lineOf(
  fields: SignalRow['fields'] & object, facts: AnyFacts,
): Record<string, string | number | boolean> {
  const line: Record<string, string | number | boolean> = {};
  for (const field of fields) {
    const value = facts[field];
    if (value !== undefined) line[field] = typeof value === 'string' ? covered(value) : value;
  }
  return line;
}

/** One call for all, without a loop where there is one or none. */
function inOrder(emits: readonly Emit[]): Emit {
  const [first, second] = emits;
  if (first === undefined) return () => undefined;
  if (second === undefined) return first;
  return (facts) => {
    for (const emit of emits) emit(facts);
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
