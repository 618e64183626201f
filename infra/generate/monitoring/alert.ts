/** Series as promtool takes them: values a minute apart, `+` adds and `x` repeats. */
export type Series = Readonly<Record<string, string>>;

/** Series in which an alarm rings. */
interface AlertCase {
  readonly series: Series;
  readonly at: string;
  /** Labels of the alarm beside its severity. */
  readonly labels: Readonly<Record<string, string>>;
}

/** An alarm with the proof that it rings and that it can be silent. */
export interface Alert {
  readonly name: string;
  /** A page wakes the person on call; a ticket waits for the morning. */
  readonly severity: 'page' | 'ticket';
  /** Distinguishes alarms of one name: the time over which the budget of an objective burns. */
  readonly window?: string;
  readonly expr: string;
  /** How long it must be so before it rings. */
  readonly lasting: string;
  readonly summary: string;
  readonly rings: AlertCase;
  /** Other ways in which it comes about. */
  readonly ringsToo?: AlertCase | readonly AlertCase[];
  readonly silent: Series;
  /** When it must be silent there; as `rings.at` where it is not said. */
  readonly silentAt?: string;
}

/** The runbook of an alarm; those of one name share it. */
export function runbookOf({ name }: Pick<Alert, 'name'>): string {
  const words = name.replace(/^Rastro/, '').replace(/BurnRate$/, '').replaceAll(/[A-Z]/g, (capital) =>
    `-${capital.toLowerCase()}`);
  return `docs/runbooks/${words.slice(1)}.md`;
}
