-- Backups of these tables (docs/how-to/backup.md). A row is written before the backup begins, so
-- that every backup holds the row about itself, and once more when it is done. The column offsets
-- says where the table writers were before it began: what follows in the log may be missing in it.

CREATE TABLE IF NOT EXISTS table_backups
(
    name        String CODEC(ZSTD(1)),
    base        String CODEC(ZSTD(1)),
    started_ms  UInt64 CODEC(ZSTD(1)),
    finished_ms UInt64 CODEC(ZSTD(1)),
    offsets     Array(Tuple(topic String, topic_id String, partition UInt32, next UInt64))
                       CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(finished_ms)
ORDER BY name;

-- The age of the newest whole backup, for a gauge of the table writer; where there is none, that of
-- the oldest migration.
CREATE VIEW IF NOT EXISTS in_table_backups
SQL SECURITY DEFINER
AS SELECT
    countIf(finished_ms > 0) AS backups,
    (SELECT toUInt64(toUnixTimestamp64Milli(min(applied_at))) FROM schema_migrations) AS made_ms,
    if(backups > 0, max(finished_ms), made_ms) AS since_ms
FROM table_backups FINAL;
