/** Facts that go with a log line. Never a secret, a token, a body or personal data. */
export type SignalFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One severity of log line. */
export type SignalLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * Where rooms report what happened; one call per batch or request, not per item. `labels` of a
 * count are bounded sets (code, topic, provider), never ids.
 */
export interface Signals {
  log(level: SignalLevel, event: string, fields?: SignalFields): void;
  count(metric: string, value: number, labels?: SignalFields): void;
  gauge(metric: string, value: number, labels?: SignalFields): void;
  /** Records one value, in the unit that the name of the metric ends with. */
  observe(metric: string, value: number, labels?: SignalFields): void;
}
