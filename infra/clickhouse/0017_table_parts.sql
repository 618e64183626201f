-- The number of parts of each table, for the gauges of the table writer: an insert makes parts,
-- merges remove them, and the store refuses inserts at too many parts of one partition. It runs
-- with the rights of its maker, because the writer may not read system tables.

CREATE VIEW IF NOT EXISTS in_table_parts
SQL SECURITY DEFINER
AS SELECT
    table,
    sum(own) AS parts,
    max(own) AS partition_parts_max
FROM
(
    SELECT table, partition_id, count() AS own
    FROM system.parts
    WHERE active AND database = currentDatabase()
    GROUP BY table, partition_id
)
GROUP BY table;
