-- What is computed in the background, for the gauges of the table writer: how much of it is not as
-- new as its rows, and for how long the oldest has not been. A refresh that fails shows here too.
-- It runs with the rights of its maker, because the writer may not read these tables.

CREATE VIEW IF NOT EXISTS in_computed_waits
SQL SECURITY DEFINER
AS SELECT 'device_hours' AS table, count() AS waiting,
          max(greatest(dateDiff('second', since, now64(3, 'UTC')), 0)) AS seconds_max
   FROM (SELECT greatest(max(computed_at), min(m.first_marked_at)) AS since
         FROM device_hour_marks AS m
         GROUP BY device_id, hour
         HAVING max(marked_at) > max(computed_at))
   UNION ALL
   SELECT 'device_days' AS table, count() AS waiting,
          max(greatest(dateDiff('second', since, now64(3, 'UTC')), 0)) AS seconds_max
   FROM (SELECT greatest(max(computed_at), min(m.first_marked_at)) AS since
         FROM device_day_marks AS m
         GROUP BY device_id, day
         HAVING max(marked_at) > max(computed_at))
   UNION ALL
   SELECT 'ingest_balances' AS table, count() AS waiting,
          max(greatest(dateDiff('second', touched_at, now64(3, 'UTC')), 0)) AS seconds_max
   FROM ingest_period_states
   WHERE is_stale;
