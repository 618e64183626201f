-- What is computed in the background, for the gauges of the table writer: how much of it is not as
-- new as its rows, and for how long the oldest has not been. A refresh that fails shows here too.
-- It runs with the rights of its maker, because the writer may not read these tables. The marks of
-- places are grouped once for the three tables that follow days of devices. As in device_days_due,
-- of 400 days few are kept in memory.

CREATE VIEW IF NOT EXISTS in_computed_waits
SQL SECURITY DEFINER
AS SELECT 'device_days' AS table, count() AS waiting,
          max(greatest(dateDiff('second', since, now64(3, 'UTC')), 0)) AS seconds_max
   FROM (SELECT greatest(max(computed_at), min(m.first_marked_at)) AS since
         FROM device_day_marks AS m
         WHERE (device_id, day) IN (
                 SELECT device_id, day FROM device_day_marks WHERE marked_at > computed_at)
         GROUP BY device_id, day
         HAVING max(marked_at) > max(computed_at))
   UNION ALL
   SELECT 'ingest_balances' AS table, count() AS waiting,
          max(greatest(dateDiff('second', touched_at, now64(3, 'UTC')), 0)) AS seconds_max
   FROM ingest_period_states
   WHERE is_stale
   UNION ALL
   SELECT 'provider_days' AS table, count() AS waiting,
          max(greatest(dateDiff('second', greatest(balanced_at, toDateTime64(day + 1, 3, 'UTC')),
                                now64(3, 'UTC')), 0)) AS seconds_max
   FROM provider_day_states
   WHERE is_open AND NOT is_waiting AND day < toDate(now('UTC'))
   UNION ALL
   SELECT step.1 AS table, step.2 AS waiting, greatest(step.3, 0) AS seconds_max
   FROM (
       SELECT arrayJoin([
                  ('device_day_zones', countIf(marked > zones_at),
                   maxIf(dateDiff('second', greatest(zones_at, since), now64(3, 'UTC')),
                         marked > zones_at)),
                  ('visit_days', countIf(marked > visits_at),
                   maxIf(dateDiff('second', greatest(visits_at, since), now64(3, 'UTC')),
                         marked > visits_at)),
                  ('battery_days', countIf(marked > battery_at),
                   maxIf(dateDiff('second', greatest(battery_at, since), now64(3, 'UTC')),
                         marked > battery_at))]) AS step
       FROM (SELECT max(m.marked_at) AS marked, assumeNotNull(min(m.first_marked_at)) AS since,
                    max(m.zone_computed_at) AS zones_at, max(m.visits_computed_at) AS visits_at,
                    max(m.battery_computed_at) AS battery_at
             FROM place_day_marks AS m
             WHERE (device_id, day) IN (
                     SELECT device_id, day FROM place_day_marks
                     WHERE marked_at > least(zone_computed_at, visits_computed_at,
                                             battery_computed_at))
             GROUP BY device_id, day))
   UNION ALL
   SELECT 'provider_hours' AS table, count() AS waiting,
          max(greatest(dateDiff('second', since, now64(3, 'UTC')), 0)) AS seconds_max
   FROM (SELECT greatest(max(computed_at), assumeNotNull(min(m.first_marked_at))) AS since
         FROM provider_hour_marks AS m
         WHERE day > toDate(now('UTC')) - 399
         GROUP BY day
         HAVING max(marked_at) > max(computed_at));
