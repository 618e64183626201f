import { TOPICS } from '../../../schemas/generated/catalog.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PendingInserts, RowSink } from '../../kernel/row-sink.ts';
import type { Signals } from '../../kernel/signals.ts';
import type { CrashBreaker } from '../common/crash-breaker.ts';
import type { DeadLetters } from '../common/dead-letters.ts';
import type { SkipErased } from './skip-erased.ts';

/** The landing table of each topic that a table writer reads. */
export const TABLES = {
  [TOPICS.locations.name]: 'in_locations',
  [TOPICS.telemetryEvents.name]: 'in_telemetry_events',
  [TOPICS.deferredEvents.name]: 'in_deferred_events',
  [TOPICS.deliveryLocations.name]: 'in_delivery_locations',
  [TOPICS.authorizations.name]: 'in_authorizations',
  [TOPICS.notifications.name]: 'in_notifications',
  [TOPICS.journey.name]: 'in_journeys',
  [TOPICS.deviceLifecycle.name]: 'in_device_lifecycle',
  [TOPICS.providerCommands.name]: 'in_commands',
  [TOPICS.providerCommandResults.name]: 'in_command_results',
  [TOPICS.deadLetters.name]: 'in_dead_letters',
  [TOPICS.deadLetterRepairs.name]: 'in_dead_letter_repairs',
  [TOPICS.audit.name]: 'in_audits',
  [TOPICS.zones.name]: 'in_zones',
  [TOPICS.webhookDeliveries.name]: 'in_webhook_tries',
} as const satisfies Readonly<Record<string, string>>;

/** The name of a table that the writers fill. */
export type WriterTable = (typeof TABLES)[keyof typeof TABLES];

/** Limits of the table writer. */
export interface TableWriterConfig {
  /** Landing table of each topic that is read; of one batch they are filled in this order. */
  readonly tables: Readonly<Record<string, string>>;
  /** Landing tables whose rows have a partition a day of receipt: an insert is of one such day. */
  readonly tablesByDay: readonly string[];
  /** Most items (header `n`) of one insert. */
  readonly itemsMax: number;
  /** Most bytes of one insert; one record alone may be larger. */
  readonly insertBytesMax: number;
  /** Most bytes that wait until an interrupted batch is complete again. */
  readonly heldBytesMax: number;
  /** How long records wait for that, in milliseconds. */
  readonly reformMsMax: number;
  /** Bad records that always become dead letters, however few good ones there are. */
  readonly rejectedMin: number;
  /** Ratio of bad records, 0 to 1, above which the writer stops instead. */
  readonly rejectedRatioMax: number;
  /** Number of recent records that the ratio is taken of. */
  readonly rejectedWindowRecords: number;
}

/** Defaults; the consumer decides how many records come at a time. */
export const TABLE_WRITER_LIMITS: TableWriterConfig = {
  tables: TABLES,
  tablesByDay: [TABLES[TOPICS.locations.name], TABLES[TOPICS.deliveryLocations.name]],
  itemsMax: 50_000,
  insertBytesMax: 67_108_864,
  heldBytesMax: 134_217_728,
  reformMsMax: 60_000,
  rejectedMin: 10,
  rejectedRatioMax: 0.1,
  rejectedWindowRecords: 1_000,
};

/** What the table writer works with. */
export interface TableWriterPorts {
  readonly sink: RowSink;
  readonly pending: PendingInserts;
  readonly deadLetters: DeadLetters;
  readonly erased: SkipErased;
  /** Keeps a defect at one record from ending the process forever. */
  readonly breaker: CrashBreaker;
  readonly clock: Clock;
  readonly signals: Signals;
}
