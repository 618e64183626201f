import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScaleFleet } from '../fleet-sql.ts';

/** Zones but for the areas of cities. */
const ZONES = 200;
const HIRED_DAYS = 2;
/** So that each kind of trouble with a hired vehicle comes on each day. */
const HIRES_MIN = 8;
const DEVICES_PER_HIRE = 100;

const fileOf = (name: string): string => join(import.meta.dirname, `${name}.sql`);

/** The text of a file, with the files that it reads from in the place of their names. */
function sqlOf(name: string): string {
  return readFileSync(fileOf(name), 'utf8').replaceAll(/\(([A-Z][A-Z_]+)\)/g, (text, word: string) => {
    const other = word.toLowerCase().replaceAll('_', '-');
    return existsSync(fileOf(other)) ? `(${sqlOf(other)})` : text;
  });
}

const insertOf = (table: string): string => sqlOf(table);
const ledgerOf = (source: string): string => (
  sqlOf('in-ledger').replace('(SOURCE)', () => `(${sqlOf(source)})`)
);

/** One thing that the fleet has besides its fixes, and the statements that fill its tables. */
export interface RestStep {
  readonly name: string;
  /** Whether the statements are for all days together; else they are for one day. */
  readonly isOnce: boolean;
  readonly statements: readonly string[];
}

const daily = (name: string, tables: readonly string[], source?: string): RestStep => ({
  name, isOnce: false,
  statements: [...tables.map(insertOf), ...(source === undefined ? [] : [ledgerOf(source)])],
});
const once = (name: string, table: string): RestStep => (
  { name, isOnce: true, statements: [insertOf(table)] }
);

/** What a fleet has besides its fixes, in the order in which it is filled. */
export const REST_STEPS: readonly RestStep[] = [
  once('zones', 'in-zones'),
  once('devices', 'in-device-lifecycle'),
  daily('hired vehicles', ['in-hire-lives', 'in-hire-posts'], 'hire-posts'),
  daily('events', ['in-telemetry-events'], 'events'),
  daily('authorizations', ['in-authorizations']),
  daily('notifications', ['in-notifications', 'in-journeys'], 'moves'),
  daily('deliveries', ['in-delivery-locations'], 'deliveries'),
  daily('commands', ['in-commands', 'in-command-results']),
  daily('answers', ['in-deferred-events'], 'answers'),
  daily('dead letters', ['in-dead-letters', 'in-dead-letter-repairs'], 'dead-letters'),
  daily('audits', ['in-audits']),
  daily('webhooks', ['in-webhook-tries']),
];

/** The statement that says what the questions ask for. */
export const EXAMPLES_SQL = sqlOf('examples');

/** What the statements take for a day of the fleet. */
export function parametersOfRest(
  { devices, firstDay }: ScaleFleet, day: number,
): Readonly<Record<string, number>> {
  return {
    devices, day, first_day: firstDay, zones: ZONES, hired_days: HIRED_DAYS,
    hires: Math.max(HIRES_MIN, Math.ceil(devices / DEVICES_PER_HIRE)),
  };
}
