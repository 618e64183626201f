-- Accepted items against their outcomes by minute of receipt, for the page "Pipeline" of the
-- console (ADR 0101). From ledger and evidence alone, as the alarm is: it costs by record and not
-- by item, so the minutes of now cost no more than others, which v_ingest_balance would read row by
-- row. So a repeat counts as `stored`, as what it repeats does. No name of a client,
-- device or call is in it.

CREATE VIEW IF NOT EXISTS ingest_minutes
SQL SECURITY DEFINER
AS SELECT toStartOfMinute(received_at) AS minute, e.kind AS kind, uniqExact(ingest_id) AS calls,
          sum(items) AS accepted,
          sum(if(kind = 'notifications',
                 toInt64(is_done AND e.outcome IN ('applied', 'duplicate')), e.written)) AS stored,
          sum(e.outliers) AS outlier,
          countIf(is_done AND e.outcome = 'out_of_order') AS out_of_order,
          countIf(is_done AND e.outcome = 'ignored_after_final') AS ignored_after_final,
          countIf(is_done AND e.outcome = 'disputed') AS disputed,
          sum(e.dead_lettered) AS dead_lettered, sum(e.waiting) AS waiting
   FROM (SELECT *, kind = 'notifications' AND dead_lettered = 0 AND waiting = 0 AS is_done
         FROM ingest_ends(since = {since:DateTime64(3, 'UTC')},
             until = {until:DateTime64(3, 'UTC')}, scope = 'all')) AS e
   GROUP BY minute, kind;
