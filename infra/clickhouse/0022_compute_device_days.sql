-- Days of devices computed from their fixes (ADR 0021), and what is parked (ADR 0067).

-- The days to compute next. Their number depends on their fixes, because these take the time and
-- memory: of 5,000 days chosen at random as many as have 5 million fixes together, and at least
-- one. Minutes say how many fixes a day has; repeats count until they are merged. `chosen` is one
-- array, because ClickHouse computes a named subquery again at each use.
CREATE VIEW IF NOT EXISTS device_days_due
SQL SECURITY DEFINER
AS WITH (
       SELECT groupArray((lot, device_id, day))
       FROM (SELECT cityHash64(device_id, day, now()) AS lot, device_id, day
             FROM (SELECT device_id, day, max(marked_at) AS marked, max(computed_at) AS computed
                   FROM device_day_marks
                   GROUP BY device_id, day)
             WHERE marked > computed - INTERVAL 300 SECOND
             ORDER BY lot
             LIMIT 5000)) AS chosen
   SELECT device_id, day
   FROM (SELECT device_id, day,
                sum(fixes) OVER (ORDER BY lot, device_id, day
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS fixes_before
         FROM (SELECT lot, device_id, day, sum(bitCount(seconds)) AS fixes
               FROM (SELECT unit.1 AS lot, unit.2 AS device_id, unit.3 AS day
                     FROM (SELECT arrayJoin(chosen) AS unit)) AS units
               LEFT JOIN (
                   SELECT device_id, toDate(minute) AS day, seconds
                   FROM device_minutes
                   WHERE minute >= toDateTime(arrayMin(chosen.3), 'UTC')
                     AND minute < toDateTime(arrayMax(chosen.3) + 1, 'UTC')
                     AND device_id IN (SELECT arrayJoin(chosen).2)) AS minutes
                   USING (device_id, day)
               GROUP BY lot, device_id, day))
   WHERE fixes_before < 5000000;

-- Half minutes of a device, with their steps as arrays: windows of 300 s over single fixes take too
-- long. Of each second with several fixes the least counts, so that the choice is always the same.
-- A half minute is_stay when it and the 300 s after it lie at one place (ADR 0067). The means of
-- half minutes are in a box of 60 m from corner to corner. It may have 200 m when all reported
-- speeds are below 5 km/h. The fixes span at least 240 s of these, and the mean of reported speeds
-- is below 5 km/h.
-- Nothing after midnight is looked at, so that a day does not wait for the next one.
CREATE VIEW IF NOT EXISTS device_half_minutes_now
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((device_id, day)) FROM device_days_due) AS due
   SELECT *,
          max(is_stay) OVER (PARTITION BY device_id, day ORDER BY half
              RANGE BETWEEN 10 PRECEDING AND CURRENT ROW) AS is_within,
          max(is_stay) OVER (PARTITION BY device_id, day ORDER BY half
              RANGE BETWEEN 10 PRECEDING AND 1 PRECEDING) AS is_across
   FROM (
       SELECT *, min(mean_lat) OVER ahead AS south, min(mean_lon) OVER ahead AS west,
              0.017453292519943295 * 6371008.8 AS degree,
              sqrt(pow((max(mean_lat) OVER ahead - south) * degree, 2)
                  + pow((max(mean_lon) OVER ahead - west) * degree
                        * cos(0.017453292519943295 * south), 2)) AS extent,
              max(last_at) OVER ahead - first_at >= 240
                  AND sum(told_sum) OVER ahead < 500 * greatest(
                      sum(told_n) OVER ahead, 1)
                  AND extent <= if(sum(told_n) OVER ahead > 0
                      AND max(told_max) OVER ahead < 5, 200, 60) AS is_stay
       FROM (
           SELECT device_id, day, intDiv(at, 30) AS half,
                  argMax(owner, f.at) AS owner,
                  min(f.at) AS first_at, max(f.at) AS last_at,
                  sum(toInt64(round(f.la * 1e7))) / count() / 1e7 AS mean_lat,
                  sum(toInt64(round(f.lo * 1e7))) / count() / 1e7 AS mean_lon,
                  countIf(f.told >= 0) AS told_n, max(f.told) AS told_max,
                  sumIf(toInt64(round(f.told * 100)), f.told >= 0) AS told_sum,
                  groupArray(f.at) AS ats, groupArray(f.at0) AS at0s,
                  groupArray(f.la) AS las, groupArray(f.lo) AS los,
                  groupArray(f.la0) AS la0s, groupArray(f.lo0) AS lo0s,
                  groupArray(f.told) AS tolds, groupArray(f.odometer) AS odometers,
                  groupArray(f.arrived) AS arriveds
           FROM (
               SELECT *, max(if(at0 = at OR la != la0 OR lo != lo0, at, 0))
                          OVER before AS arrived
               FROM (
                   SELECT *, fix.1 AS la, fix.2 AS lo,
                          if(fix.3 BETWEEN 0 AND 350, fix.3, -1) AS told,
                          fix.4 AS odometer,
                          lagInFrame(at, 1, at) OVER pair AS at0,
                          lagInFrame(fix, 1, fix) OVER pair AS fix0,
                          tupleElement(fix0, 1) AS la0,
                          tupleElement(fix0, 2) AS lo0
                   FROM (
                       SELECT device_id, touched AS day, toInt64(toUnixTimestamp(ts)) AS at,
                              min((latitude, longitude, ifNull(speed, -1),
                                   ifNull(odometer, -1))) AS fix,
                              max((client_id, provider, country_id, transport_id)) AS owner
                       FROM v_locations
                       ARRAY JOIN arrayDistinct([toDate(ts), toDate(ts + 3600)]) AS touched
                       WHERE (toDate(ts), device_id) IN (
                               SELECT arrayJoin([unit.2 - 1, unit.2]), unit.1
                               FROM (SELECT arrayJoin(due) AS unit))
                         AND ts >= toDateTime(arrayMin(due.2), 'UTC') - 3600
                         AND ts < toDateTime(arrayMax(due.2) + 1, 'UTC')
                         AND (latitude != 0 OR longitude != 0)
                         AND (device_id, touched) IN (SELECT unit.1, unit.2
                                                    FROM (SELECT arrayJoin(due) AS unit))
                       GROUP BY device_id, day, at)
                   WINDOW pair AS (PARTITION BY device_id, day ORDER BY at
                       ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
               WINDOW before AS (PARTITION BY device_id, day ORDER BY at
                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS f
           GROUP BY device_id, day, half)
       WINDOW ahead AS (PARTITION BY device_id, day ORDER BY half
                        RANGE BETWEEN CURRENT ROW AND 10 FOLLOWING));

-- Steps lead from fix to fix. In a step:
--   gap       longer than 900 s: silence, nothing is known
--   moved_s   its seconds and up to 60 more during which the fix before it was repeated, because
--             devices hold a fix while they look for the next
--   shown     its speed by distance and moved_s, km/h; over 350 (97.2 m/s) it is a jump
--   reported  speed of the telemetry at its end, km/h; over 350 it is no speed
--   parked    within the 300 s of a half minute that is a stay
--   moving    at least 5 km/h and not parked: by the reported speed when the step has 10 s at most,
--             else by the shown speed; only these count as distance and driving.
-- A trip is moving steps with less than 300 s between them. A stop is at least 300 s without a
-- moving step; silences of a device that is within 200 m of where it was are part of it.
-- A step belongs to the day in which it ends, so a trip is cut at midnight (UTC); the column
-- continues says that it goes on. A stop is cut too, when it had 300 s by then; else the next day
-- has all of it. Trips of less than 200 m are left out, but not their ends at midnight. Distances
-- are whole centimeters and places are summed as whole numbers, so that sums do not depend on their
-- order.
CREATE VIEW IF NOT EXISTS device_days_now
SQL SECURITY DEFINER
AS SELECT device_id, day,
          argMaxIf(owner.1, at, own) AS client_id, argMaxIf(owner.2, at, own) AS provider,
          argMaxIf(owner.3, at, own) AS country_id, argMaxIf(owner.4, at, own) AS transport_id,
          toUInt32(countIf(own)) AS fixes,
          argMinIf((toDateTime(at, 'UTC'), la, lo), at, own) AS first,
          argMaxIf((toDateTime(at, 'UTC'), la, lo), at, own) AS last,
          sumIf(step_cm, own) AS distance_cm,
          maxIf(nullIf(odometer, -1), own) - minIf(nullIf(odometer, -1), own) AS odometer_km,
          toUInt32(sumIf(dt, own AND moving)) AS driving_s,
          toUInt32(sumIf(dt, own AND is_still)) AS standing_s,
          sumMapIf([still_since], [dt], [if(is_gap, dt, 0)],
              [if(is_jump, 0, toInt64(round(la * 1e7)))],
              [if(is_jump, 0, toInt64(round(lo * 1e7)))],
              [toInt64(NOT is_jump)], own AND is_rest) AS rests,
          maxMapIf([still_since], [at], own AND is_rest) AS rest_ends,
          arrayFilter(stay -> stay.3 - stay.1 >= 300,
              arrayMap((since, dwell, silent, lat, lon, n, until) ->
                      (since, until - dwell, until, silent, lat, lon, n),
                  rests.1, rests.2, rests.3, rests.4, rests.5, rests.6, rest_ends.2)) AS found,
          arrayMap(stay -> (
                  toDateTime(if(stay.2 - stay.1 >= 300, stay.2, stay.1), 'UTC'),
                  toDateTime(stay.3, 'UTC'), stay.5 / greatest(stay.7, 1) / 1e7,
                  stay.6 / greatest(stay.7, 1) / 1e7, toUInt32(stay.4), stay.2 - stay.1 >= 300),
              found) AS stays,
          toUInt16(arrayCount(stay -> NOT stay.6, stays)) AS stops,
          toUInt16(countIf(own AND is_gap)) AS gaps,
          toUInt32(sumIf(dt, own AND is_gap)) AS gap_s,
          toUInt32(countIf(own AND is_jump)) AS jumps,
          maxIf(reported, own) AS speed_max,
          arraySort(step -> step.1, groupArrayIf(
              (at, at - dt, la0, lo0, la, lo, step_cm, dt, ifNull(reported, -1),
               at - dt - moved_before >= 300 OR moved_today = 0,
               at - dt - moved_before < 300), own AND moving)) AS steps,
          arrayFilter(trip -> trip.7 >= 20000 OR trip.10
                  OR trip.4 >= toDateTime(day + 1, 'UTC') - 300,
              arrayMap(part -> (toDateTime(part[1].2, 'UTC'), part[1].3, part[1].4,
                      toDateTime(part[-1].1, 'UTC'), part[-1].5, part[-1].6,
                      arraySum(part.7), toUInt32(arraySum(part.8)),
                      nullIf(arrayMax(part.9), -1), part[1].11),
                  arraySplit(step -> step.10, steps))) AS trips,
          sumMapIf([cell], [toUInt64(1)], [toUInt64(reported > 50)], [toUInt64(reported > 80)],
              [toUInt64(reported > 110)], [toUInt64(reported > 130)],
              own AND reported IS NOT NULL) AS sums,
          maxMapIf([cell], [assumeNotNull(reported)], own AND reported IS NOT NULL) AS most,
          arrayMap((h3, n, over_50, over_80, over_110, over_130, fastest) ->
                  (h3, n, over_50, over_80, over_110, over_130, fastest),
              tupleElement(sums, 1), tupleElement(sums, 2), tupleElement(sums, 3),
              tupleElement(sums, 4), tupleElement(sums, 5), tupleElement(sums, 6),
              tupleElement(most, 2)) AS cells
   FROM (
       SELECT *, toDate(toDateTime(at, 'UTC')) = day AS own,
              max(if(moving, at, 0)) OVER before AS moved_before,
              max(if(moving AND own, at, 0)) OVER before AS moved_today,
              max(if(is_rest, 0, at)) OVER before AS still_since
       FROM (
           SELECT *, is_known AND NOT is_jump AND NOT parked
                      AND if(dt <= 10 AND reported IS NOT NULL, reported >= 5, shown >= 5)
                          AS moving,
                  is_known AND NOT is_jump AND NOT moving AS is_still,
                  if(is_gap, metres <= 200, is_known AND NOT moving) AS is_rest,
                  if(moving, toUInt64(round(metres * 100)), 0) AS step_cm
           FROM (
               SELECT device_id, day, owner, at, la, lo, la0, lo0, odometer,
                      at0 = at AS is_first, at - at0 AS dt, dt > 900 AS is_gap,
                      NOT is_first AND NOT is_gap AS is_known,
                      if(told >= 0, told, NULL) AS reported, geoToH3(la, lo, 8) AS cell,
                      if(intDiv(at0, 30) = half, is_within, is_across) AS parked,
                      greatest(dt + least(at0 - arrived, 60), 1) AS moved_s,
                      greatCircleDistance(lo0, la0, lo, la) AS metres,
                      3.6 * metres / moved_s AS shown,
                      is_known AND metres > 97.2 * moved_s AS is_jump
               FROM device_half_minutes_now
               ARRAY JOIN ats AS at, at0s AS at0, las AS la, los AS lo, la0s AS la0, lo0s AS lo0,
                          tolds AS told, odometers AS odometer, arriveds AS arrived))
       WINDOW before AS (PARTITION BY device_id, day ORDER BY at
                         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
   GROUP BY device_id, day;

-- Sorting and grouping go to disk early, so that memory does not grow with the fixes of the days.
CREATE MATERIALIZED VIEW IF NOT EXISTS device_days_refresh
REFRESH EVERY 5 MINUTE APPEND TO device_days EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, day, client_id, provider, country_id, transport_id, fixes, first, last,
          distance_cm, odometer_km, driving_s, standing_s, stops, gaps, gap_s, jumps, speed_max,
          trips, stays, cells, now64(3, 'UTC') AS computed_at
   FROM device_days_now
   SETTINGS max_bytes_before_external_sort = 200000000,
            max_bytes_before_external_group_by = 200000000;
