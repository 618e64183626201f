-- How many parts the tables have, for the gauges of the table writer: an insert makes parts, merges
-- take them away, and the store refuses inserts at too many of one partition. In the name of
-- whoever made it, since the writer may read nothing of the system.

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
