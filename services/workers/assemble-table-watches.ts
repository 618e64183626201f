import type { ClickHouse } from '../adapters/clickhouse/clickhouse.ts';
import { createComputedWaits } from '../adapters/clickhouse/computed-waits.ts';
import { createIngestAudit } from '../adapters/clickhouse/ingest-audit.ts';
import { createNewestBackup } from '../adapters/clickhouse/table-backups.ts';
import { createTableParts } from '../adapters/clickhouse/table-parts.ts';
import { systemClock, systemPause } from '../adapters/system/system.ts';
import type { WorkerParts } from './assemble-config.ts';
import { BACKUP_POLL_MS, createBackupWatch } from './table-writer/watch-backup.ts';
import { COMPUTED_POLL_MS, createComputedWatch } from './table-writer/watch-computed.ts';
import { createOutcomeWatch, OUTCOME_WATCH_LIMITS } from './table-writer/watch-outcomes.ts';
import { createPartsWatch, PARTS_POLL_MS } from './table-writer/watch-parts.ts';

/**
 * Starts what the table writer reports beside its inserts: parts and what waits to be computed, and
 * of the first replica the outcomes of items and the age of the backup.
 */
export function startTableWatches(
  { config, signals, lifecycle, onCrash }: WorkerParts, sink: ClickHouse,
): void {
  const watched = { clock: systemClock, pause: systemPause, signals, onCrash };
  const parts = createPartsWatch(PARTS_POLL_MS, { ...watched, parts: createTableParts(sink) });
  lifecycle.onRelease('parts-watch', parts.stop);
  parts.start();
  const computed = createComputedWatch(
    COMPUTED_POLL_MS, { ...watched, waits: createComputedWaits(sink) },
  );
  lifecycle.onRelease('computed-watch', computed.stop);
  computed.start();
  // A further replica may be late; whether it has all rows is what `rastro verify --replicas` says.
  if (config.RASTRO_CLICKHOUSE_REPLICA !== undefined) return;
  const outcomes = createOutcomeWatch(
    OUTCOME_WATCH_LIMITS, { ...watched, audit: createIngestAudit(sink) },
  );
  lifecycle.onRelease('fate-watch', () => outcomes.stop());
  outcomes.start();
  const backup = createBackupWatch(
    { pollMs: BACKUP_POLL_MS, ageSecondsMax: config.RASTRO_BACKUP_AGE_SECONDS_MAX },
    { ...watched, newest: createNewestBackup(sink) },
  );
  lifecycle.onRelease('backup-watch', backup.stop);
  backup.start();
}
