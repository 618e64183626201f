/** The two places where records end: the state store (Redis) and the tables (ClickHouse). */
export type StoreName = 'state' | 'tables';

/**
 * A record counts as fresh when it is in a store so many seconds after its receipt at the latest.
 * Metrics, alarms and docs/reference/objectives.md take the numbers from here.
 */
export const FRESH_SECONDS: Readonly<Record<StoreName, number>> = { state: 5, tables: 60 };

/** A record that waits longer than this for a worker is an alarm, in seconds. */
export const LAG_SECONDS_MAX = 120;

/** Every accepted item has its outcome so many seconds after its receipt. */
export const ITEMS_WAIT_SECONDS_MAX = 60;
