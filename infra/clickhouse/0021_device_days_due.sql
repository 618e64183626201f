-- Which days of devices are computed next, and from where on (ADR 0077).

-- A day that was computed waits so long before it is computed again.
CREATE VIEW IF NOT EXISTS device_day_pace
SQL SECURITY DEFINER
AS SELECT toUInt32(600) AS seconds;

-- The days to compute next, what was computed longest ago first. Ten of today and yesterday come
-- before one that is older, so that neither waits forever when more is due than can be computed.
-- Days that are computed together are neighbours in every table, and stay together.
-- Their number depends on the fixes to compute, because these take the time and memory: of 20,000
-- days as many as have 5 million fixes together, and at least one. Minutes say how many fixes a day
-- has; repeats count until they are merged.
--
-- What arrived from 300 s before the last computation on may be new to it, since an insert is seen
-- later than it began. When all of that is at least 300 s after the cut of the state, the day is
-- computed from its `cut` on. Else it is computed whole, from 0.
--
-- `next_cut` is where the next state ends, or 0: 300 s before all that came in the last 300 s, or
-- before the last minute that is there.
-- `chosen`, `known` and `onward` are arrays, because ClickHouse computes a named subquery again at
-- each use.
CREATE VIEW IF NOT EXISTS device_days_due
SQL SECURITY DEFINER
AS WITH (
       SELECT groupArray((device_id, day))
       FROM (SELECT device_id, day, max(marked_at) AS marked, max(computed_at) AS computed,
                    day < toDate(now('UTC')) - 1 AS is_old
             FROM device_day_marks
             -- A day that is not computed since has at least one row that says so: of 400 days few
             -- are kept in memory.
             WHERE (device_id, day) IN (
                     SELECT device_id, day FROM device_day_marks
                     WHERE marked_at > computed_at - INTERVAL 300 SECOND)
             GROUP BY device_id, day
             HAVING marked > computed - INTERVAL 300 SECOND
                AND computed <= now64(3, 'UTC') - toIntervalSecond(
                        (SELECT seconds FROM device_day_pace))
             ORDER BY row_number() OVER (PARTITION BY is_old ORDER BY computed, day, device_id)
                      * if(is_old, 10, 1), is_old
             LIMIT 20000)) AS chosen,
       (
       SELECT groupArray((device_id, day, cut, toUnixTimestamp(computed_at) - 300))
       FROM (SELECT device_id, day, cut, computed_at FROM device_day_states FINAL
             WHERE day >= arrayMin(chosen.2)
               AND (device_id, day) IN (SELECT unit.1, unit.2
                                        FROM (SELECT arrayJoin(chosen) AS unit)))) AS known,
       (
       SELECT groupArray((device_id, day, cut, settled, fixes))
       FROM (SELECT unit.1 AS device_id, unit.2 AS day, unit.3 AS cut, unit.4 AS since
             FROM (SELECT arrayJoin(known) AS unit)) AS units
       LEFT JOIN (
           SELECT device_id, day, min(at) AS new_from,
                  if(max(is_fresh), minIf(at, is_fresh), max(at)) AS settled, sum(seen) AS fixes
           FROM (SELECT device_id, touched AS day, toUnixTimestamp(minute) AS at,
                        toUnixTimestamp(arrived_at) AS arrived,
                        arrived_at >= now('UTC') - 300 AS is_fresh, bitCount(seconds) AS seen
                 FROM device_minutes
                 ARRAY JOIN arrayDistinct([toDate(minute), toDate(minute + 3600)]) AS touched
                 WHERE frame_minutes = 0
                   AND arrived_at >= toDateTime(arrayMin(known.4), 'UTC')
                   AND minute >= toDateTime(arrayMin(known.2), 'UTC') - 3600
                   AND device_id IN (SELECT arrayJoin(known).1)) AS minutes
           INNER JOIN (SELECT unit.1 AS device_id, unit.2 AS day, unit.4 AS since
                       FROM (SELECT arrayJoin(known) AS unit)) AS units
           USING (device_id, day)
           WHERE arrived >= since
           GROUP BY device_id, day) AS news
       USING (device_id, day)
       WHERE new_from = 0 OR new_from >= cut + 300) AS onward
   SELECT device_id, day, cut,
          if(day < toDate(now('UTC')) - 1 OR until < toUnixTimestamp(toDateTime(day, 'UTC')) - 3000,
             0, greatest(cut, until - 300)) AS next_cut
   FROM (
       SELECT *, least(settled, toUnixTimestamp(toStartOfMinute(now('UTC'))) - 60) AS until,
              sum(fixes) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                  AS fixes_before
       FROM (SELECT unit.1 AS device_id, unit.2 AS day, n
             FROM (SELECT chosen) ARRAY JOIN chosen AS unit, arrayEnumerate(chosen) AS n) AS units
       LEFT JOIN (
           SELECT unit.1 AS device_id, unit.2 AS day, unit.3 AS cut, unit.4 AS settled,
                  unit.5 + 300 AS fixes
           FROM (SELECT arrayJoin(onward) AS unit)
           UNION ALL
           SELECT device_id, touched AS day, 0 AS cut,
                  if(max(is_fresh), minIf(at, is_fresh), max(at)) AS settled, sum(seen) AS fixes
           FROM (SELECT device_id, touched, toUnixTimestamp(minute) AS at,
                        arrived_at >= now('UTC') - 300 AS is_fresh, bitCount(seconds) AS seen
                 FROM device_minutes
                 ARRAY JOIN arrayDistinct([toDate(minute), toDate(minute + 3600)]) AS touched
                 WHERE frame_minutes = 0
                   AND minute >= toDateTime(arrayMin(chosen.2), 'UTC') - 3600
                   AND minute < toDateTime(arrayMax(chosen.2) + 1, 'UTC')
                   AND (toDate(minute), device_id) IN (
                           SELECT arrayJoin([unit.2 - 1, unit.2]), unit.1
                           FROM (SELECT arrayJoin(chosen) AS unit)
                           WHERE (unit.1, unit.2) NOT IN (SELECT whole.1, whole.2
                                 FROM (SELECT arrayJoin(onward) AS whole)))
                   AND (device_id, touched) IN (SELECT unit.1, unit.2
                                               FROM (SELECT arrayJoin(chosen) AS unit))
                   AND (device_id, touched) NOT IN (SELECT unit.1, unit.2
                                                    FROM (SELECT arrayJoin(onward) AS unit)))
           GROUP BY device_id, day) AS work
       USING (device_id, day))
   WHERE fixes_before < 5000000;
