import { EDGE_SIGNALS } from './signals/edge-signals.ts';
import type { FactName, SignalFacts, SignalLevel } from './signals/facts.ts';
import { LOG_SIGNALS } from './signals/log-signals.ts';
import type { LabelOf, MetricName } from './signals/metrics.ts';
import { PARTY_SIGNALS } from './signals/party-signals.ts';
import type { SignalRow } from './signals/signal-row.ts';
import { STORE_SIGNALS } from './signals/store-signals.ts';
import { WORKER_SIGNALS } from './signals/worker-signals.ts';

/** Every signal of the product: one name, at most one log line, and its metrics. */
export const SIGNALS = {
  ...EDGE_SIGNALS, ...LOG_SIGNALS, ...STORE_SIGNALS, ...WORKER_SIGNALS, ...PARTY_SIGNALS,
};

/** The name of a signal. */
export type SignalName = keyof typeof SIGNALS;

type RowOf<Name extends SignalName> = (typeof SIGNALS)[Name];
type MetricsOf<Row> = Row extends { readonly metrics: infer Reports } ? Reports : never;
type FieldsOf<Row> = Row extends { readonly fields: readonly (infer Field)[] } ? Field : never;
type MetricFactsOf<Reports> = Reports extends object
  ? LabelOf<keyof Reports & MetricName> | (Reports[keyof Reports] & FactName)
  : never;
type LevelOf<Row> = Row extends { readonly level: 'given' }
  ? { readonly level: SignalLevel }
  : unknown;

/** What the caller of a signal must say: its labels, its values and the fields of its line. */
export type FactsOf<Name extends SignalName> = LevelOf<RowOf<Name>> & {
  readonly [Fact in MetricFactsOf<MetricsOf<RowOf<Name>>>]: NonNullable<SignalFacts[Fact]>;
} & {
  readonly [Fact in FieldsOf<RowOf<Name>> & FactName]: SignalFacts[Fact];
};

/**
 * Where rooms report what happened; one call per batch or request, not per item. Each function
 * writes the line and reports the metrics that its row in {@link SIGNALS} names.
 */
export type Signals = {
  readonly [Name in SignalName]: keyof FactsOf<Name> extends never
    ? () => void
    : (facts: FactsOf<Name>) => void;
};

type Emitted = {
  [Name in SignalName]: Extract<keyof MetricsOf<RowOf<Name>>, MetricName>;
}[SignalName];

/** The metrics that signals emit; does not compile while a metric is emitted by none. */
export type EmittedMetric<NeverEmitted extends never = Exclude<MetricName, Emitted>> =
  Emitted | NeverEmitted;

/** The facts of a signal whose name is not known at compile time. */
export type AnyFacts = Readonly<Partial<Record<
  FactName | 'level', string | number | boolean | undefined
>>>;

const NO_FACTS: AnyFacts = {};

/** Makes every signal of the table by one rule. */
export function makeSignals(
  emitterOf: (row: SignalRow, name: SignalName) => (facts: AnyFacts) => void,
): Signals {
  const signals: Partial<Record<SignalName, (facts?: AnyFacts) => void>> = {};
  for (const name of Object.keys(SIGNALS) as SignalName[]) {
    const emit = emitterOf(SIGNALS[name], name);
    signals[name] = (facts?: AnyFacts) => { emit(facts ?? NO_FACTS); };
  }
  return signals as Signals;
}

/** Signals without a receiver, for tools that report in other ways. */
export const silentSignals: Signals = makeSignals(() => () => undefined);
