-- Days of devices computed from their fixes (ADR 0021, ADR 0077), and what is parked (ADR 0067).

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
--
-- `sent`: the fixes of each day to compute, from its cut on, or from an hour before midnight. Of
-- each second with several fixes the least counts, so that the choice is always the same. Fixes of
-- the last two hours are read apart, so that parts with none of them are left out.
-- `halves`: half minutes of a device, with their steps as arrays: windows of 300 s over single
-- fixes take too long. A half minute is_stay when it and the 300 s after it lie at one place
-- (ADR 0067). The means of half minutes are in a box of 60 m from corner to corner. It may have
-- 200 m when all reported speeds are below 5 km/h. The fixes span at least 240 s of these, and the
-- mean of reported speeds is below 5 km/h. Nothing after midnight is looked at, so that a day does
-- not wait for the next one.
-- `parts`: what the fixes before and after the next cut come to. A day that is computed from a cut
-- on begins with a head, which is the last fix before it and knows of those before (`before`).
-- At the end these are put together with the state: without the fixes after the next cut they are
-- the next state (`next_…`), with them the day.
CREATE VIEW IF NOT EXISTS device_days_now
SQL SECURITY DEFINER
AS WITH
   (SELECT groupArray((device_id, day, cut, next_cut)) FROM device_days_due) AS due,
   toUnixTimestamp(now('UTC')) AS now_s,
   arrayMin(arrayPushBack(arrayFilter(cut -> cut >= now_s - 7200, due.3), now_s)) AS recent,
   units AS (
       SELECT unit.1 AS device_id, unit.2 AS day, unit.3 AS cut, unit.4 AS next_cut, n
       FROM (SELECT due) ARRAY JOIN due AS unit, arrayEnumerate(due) AS n),
   states AS (
       SELECT u.n AS n, u.day AS unit_day, u.next_cut AS next_cut, s.*
       FROM (SELECT * FROM device_day_states FINAL
             WHERE day >= arrayMin(due.2)
               AND (device_id, day) IN (SELECT device_id, day FROM units WHERE cut > 0)) AS s
       INNER JOIN units AS u
       ON u.device_id = s.device_id AND u.day = s.day AND u.cut = s.cut),
   sent AS (
       SELECT n, unit_day, next_cut, at,
              min((latitude, longitude, ifNull(speed, toFloat32(-1)),
                   ifNull(odometer, -1.))) AS fix,
              max((client_id, provider, country_id, transport_id)) AS owner
       FROM (
           SELECT device_id, touched AS day, toInt64(toUnixTimestamp(ts)) AS at, latitude,
                  longitude, speed, odometer, client_id, provider, country_id, transport_id
           FROM v_locations
           ARRAY JOIN arrayDistinct([toDate(ts), toDate(ts + 3600)]) AS touched
           WHERE (toDate(ts), device_id) IN (
                   SELECT arrayJoin([day - 1, day]), device_id FROM units WHERE cut >= recent)
             AND ts >= toDateTime(recent, 'UTC') AND (latitude != 0 OR longitude != 0)
           UNION ALL
           SELECT device_id, touched AS day, toInt64(toUnixTimestamp(ts)) AS at, latitude,
                  longitude, speed, odometer, client_id, provider, country_id, transport_id
           FROM v_locations
           ARRAY JOIN arrayDistinct([toDate(ts), toDate(ts + 3600)]) AS touched
           WHERE (toDate(ts), device_id) IN (
                   SELECT arrayJoin([day - 1, day]), device_id FROM units WHERE cut < recent)
             AND ts >= toDateTime(arrayMin(due.2), 'UTC') - 3600
             AND ts < toDateTime(arrayMax(due.2) + 1, 'UTC')
             AND (latitude != 0 OR longitude != 0)) AS f
       INNER JOIN (SELECT device_id, day, day AS unit_day, cut, next_cut, n FROM units) AS u
       USING (device_id, day)
       WHERE at >= cut
       GROUP BY n, unit_day, next_cut, at),
   halves AS (
       SELECT *,
              max(stay_here) OVER (PARTITION BY n ORDER BY half
                  ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS stay_last,
              max(stay_here) OVER (PARTITION BY n ORDER BY half
                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS stay_before
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
                          AND max(told_max) OVER ahead < 5, 200, 60) AS is_stay,
                  if(is_head, head.2, if(is_stay, half, 0)) AS stay_here
           FROM (
               SELECT n, unit_day, next_cut, intDiv(at, 30) AS half,
                      max(is_head) AS is_head, max(head) AS head,
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
                   SELECT *, max(if(is_head, head.1,
                                    if(at0 = at OR la != la0 OR lo != lo0, at, 0)))
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
                           SELECT n, unit_day, next_cut, at, fix, owner, false AS is_head,
                                  CAST((0, 0, 0, 0, 0),
                                       'Tuple(Int64, Int64, Int64, Int64, Int64)') AS head
                           FROM sent
                           UNION ALL
                           SELECT n, unit_day, next_cut, before.1,
                                  (before.2, before.3, toFloat32(-1), -1.),
                                  CAST(('', '', '', 0), 'Tuple(LowCardinality(String),
                                      LowCardinality(String), LowCardinality(String), Int64)'),
                                  true, (before.4, before.5, before.6, before.7, before.8)
                           FROM states
                           WHERE before.1 > 0)
                       WINDOW pair AS (PARTITION BY n ORDER BY at
                           ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
                   WINDOW before AS (PARTITION BY n ORDER BY at
                       ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS f
               GROUP BY n, unit_day, next_cut, half)
           WINDOW ahead AS (PARTITION BY n ORDER BY half
                            RANGE BETWEEN CURRENT ROW AND 10 FOLLOWING))),
   parts AS (
       SELECT n, at >= next_cut AS is_open,
              toUInt32(countIf(own)) AS fixes,
              argMaxIf(owner, at, own) AS owner,
              argMinIf((at, la, lo), at, own) AS first,
              argMaxIf((at, la, lo), at, own) AS last,
              sumIf(step_cm, own) AS distance_cm,
              minIf(nullIf(odometer, -1), own) AS odometer_min,
              maxIf(nullIf(odometer, -1), own) AS odometer_max,
              sumIf(dt, own AND moving) AS driving_s, sumIf(dt, own AND is_still) AS standing_s,
              countIf(own AND is_gap) AS gaps, sumIf(dt, own AND is_gap) AS gap_s,
              countIf(own AND is_jump) AS jumps, maxIf(reported, own) AS speed_max,
              groupArrayIf(
                  (at, at - dt, la0, lo0, la, lo, step_cm, dt, ifNull(reported, -1),
                   at - dt - moved_before >= 300 OR moved_today = 0,
                   at - dt - moved_before < 300), own AND moving) AS pieces,
              sumMapIf([still_since], [dt], [if(is_gap, dt, 0)],
                  [if(is_jump, 0, toInt64(round(la * 1e7)))],
                  [if(is_jump, 0, toInt64(round(lo * 1e7)))],
                  [toInt64(NOT is_jump)], own AND is_rest) AS rests,
              maxMapIf([still_since], [at], own AND is_rest) AS rest_ends,
              sumMapIf([cell], [toUInt64(1)], [toUInt64(reported > 50)], [toUInt64(reported > 80)],
                  [toUInt64(reported > 110)], [toUInt64(reported > 130)],
                  own AND reported IS NOT NULL) AS cells,
              maxMapIf([cell], [assumeNotNull(reported)], own AND reported IS NOT NULL)
                  AS cell_speeds,
              argMax((at, la, lo), at) AS place,
              (place.1, place.2, place.3, max(arrived_here), max(stay_last), max(moved_here),
               max(moved_here_today), max(still_here)) AS before
       FROM (
           SELECT *, max(moved_here) OVER before AS moved_before,
                  max(moved_here_today) OVER before AS moved_today,
                  max(still_here) OVER before AS still_since
           FROM (
               SELECT *, NOT is_head AND intDiv(at, 86400) = toUInt16(unit_day) AS own,
                      is_known AND NOT is_jump AND NOT parked
                          AND if(dt <= 10 AND reported IS NOT NULL, reported >= 5, shown >= 5)
                              AS moving,
                      is_known AND NOT is_jump AND NOT moving AS is_still,
                      if(is_gap, metres <= 200, is_known AND NOT moving) AS is_rest,
                      if(moving, toUInt64(round(metres * 100)), 0) AS step_cm,
                      if(is_head, head.1, if(is_first OR la != la0 OR lo != lo0, at, 0))
                          AS arrived_here,
                      if(is_head, head.3, if(moving, at, 0)) AS moved_here,
                      if(is_head, head.4, if(moving AND own, at, 0)) AS moved_here_today,
                      if(is_head, head.5, if(is_rest, 0, at)) AS still_here
               FROM (
                   SELECT n, unit_day, next_cut, is_head, head, owner, at, la, lo, la0, lo0,
                          odometer, stay_last,
                          at0 = at AS is_first, at - at0 AS dt, dt > 900 AS is_gap,
                          NOT is_first AND NOT is_gap AS is_known,
                          if(told >= 0, told, NULL) AS reported, geoToH3(la, lo, 8) AS cell,
                          if(intDiv(at0, 30) = half, stay_last, stay_before) >= half - 10
                              AS parked,
                          greatest(dt + least(at0 - arrived, 60), 1) AS moved_s,
                          greatCircleDistance(lo0, la0, lo, la) AS metres,
                          3.6 * metres / moved_s AS shown,
                          is_known AND metres > 97.2 * moved_s AS is_jump
                   FROM halves
                   ARRAY JOIN ats AS at, at0s AS at0, las AS la, los AS lo, la0s AS la0,
                              lo0s AS lo0, tolds AS told, odometers AS odometer,
                              arriveds AS arrived))
           WINDOW before AS (PARTITION BY n ORDER BY at
                             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
       GROUP BY n, is_open),
   all_parts AS (
       SELECT n, is_open, fixes, owner, first, last, distance_cm, odometer_min, odometer_max,
              driving_s, standing_s, gaps, gap_s, jumps, speed_max, pieces, rests, rest_ends, cells,
              cell_speeds, before
       FROM parts
       UNION ALL
       SELECT n, false, fixes, owner, first, last, distance_cm, odometer_min, odometer_max,
              driving_s, standing_s, gaps, gap_s, jumps, speed_max, pieces,
              (rests.1, rests.2, rests.3, rests.4, rests.5, rests.6), (rests.1, rests.7),
              (cells.1, cells.2, cells.3, cells.4, cells.5, cells.6), (cells.1, cells.7), before
       FROM states),
   sums AS (
       SELECT n, sum(p.fixes) AS fixes, argMaxIf(p.owner, p.last.1, p.fixes > 0) AS owner,
              argMinIf(p.first, p.first.1, p.fixes > 0) AS first,
              argMaxIf(p.last, p.last.1, p.fixes > 0) AS last,
              sum(p.distance_cm) AS distance_cm,
              min(p.odometer_min) AS odometer_min, max(p.odometer_max) AS odometer_max,
              sum(p.driving_s) AS driving_s, sum(p.standing_s) AS standing_s,
              sum(p.gaps) AS gaps, sum(p.gap_s) AS gap_s, sum(p.jumps) AS jumps,
              max(p.speed_max) AS speed_max,
              groupArrayArray(p.pieces) AS pieces,
              sumMap(p.rests.1, p.rests.2, p.rests.3, p.rests.4, p.rests.5, p.rests.6) AS rests,
              maxMap(p.rest_ends.1, p.rest_ends.2) AS rest_ends,
              sumMap(p.cells.1, p.cells.2, p.cells.3, p.cells.4, p.cells.5, p.cells.6) AS cells,
              maxMap(p.cell_speeds.1, p.cell_speeds.2) AS cell_speeds,
              sumIf(p.fixes, NOT p.is_open) AS next_fixes,
              argMaxIf(p.owner, p.last.1, p.fixes > 0 AND NOT p.is_open) AS next_owner,
              argMinIf(p.first, p.first.1, p.fixes > 0 AND NOT p.is_open) AS next_first,
              argMaxIf(p.last, p.last.1, p.fixes > 0 AND NOT p.is_open) AS next_last,
              sumIf(p.distance_cm, NOT p.is_open) AS next_distance_cm,
              minIf(p.odometer_min, NOT p.is_open) AS next_odometer_min,
              maxIf(p.odometer_max, NOT p.is_open) AS next_odometer_max,
              sumIf(p.driving_s, NOT p.is_open) AS next_driving_s,
              sumIf(p.standing_s, NOT p.is_open) AS next_standing_s,
              sumIf(p.gaps, NOT p.is_open) AS next_gaps,
              sumIf(p.gap_s, NOT p.is_open) AS next_gap_s,
              sumIf(p.jumps, NOT p.is_open) AS next_jumps,
              maxIf(p.speed_max, NOT p.is_open) AS next_speed_max,
              groupArrayArrayIf(p.pieces, NOT p.is_open) AS closed_pieces,
              sumMapIf(p.rests.1, p.rests.2, p.rests.3, p.rests.4, p.rests.5, p.rests.6,
                       NOT p.is_open) AS closed_rests,
              maxMapIf(p.rest_ends.1, p.rest_ends.2, NOT p.is_open) AS closed_rest_ends,
              sumMapIf(p.cells.1, p.cells.2, p.cells.3, p.cells.4, p.cells.5, p.cells.6,
                       NOT p.is_open) AS closed_cells,
              maxMapIf(p.cell_speeds.1, p.cell_speeds.2, NOT p.is_open) AS closed_cell_speeds,
              argMaxIf(p.before, p.before.1, NOT p.is_open) AS next_before
       FROM all_parts AS p
       GROUP BY n)
   SELECT u.device_id AS device_id, u.day AS day,
          d.owner.1 AS client_id, d.owner.2 AS provider, d.owner.3 AS country_id,
          d.owner.4 AS transport_id, toUInt32(d.fixes) AS fixes,
          (toDateTime(d.first.1, 'UTC'), d.first.2, d.first.3) AS first,
          (toDateTime(d.last.1, 'UTC'), d.last.2, d.last.3) AS last,
          d.distance_cm AS distance_cm, odometer_max - odometer_min AS odometer_km,
          toUInt32(d.driving_s) AS driving_s, toUInt32(d.standing_s) AS standing_s,
          toUInt16(arrayCount(stay -> NOT stay.6, stays)) AS stops,
          toUInt16(d.gaps) AS gaps, toUInt32(d.gap_s) AS gap_s, toUInt32(d.jumps) AS jumps,
          d.speed_max AS speed_max,
          arrayFilter(trip -> trip.7 >= 20000 OR trip.10
                  OR trip.4 >= toDateTime(day + 1, 'UTC') - 300,
              arrayMap(part -> (toDateTime(part[1].2, 'UTC'), part[1].3, part[1].4,
                      toDateTime(part[-1].1, 'UTC'), part[-1].5, part[-1].6,
                      arraySum(part.7), toUInt32(arraySum(part.8)),
                      nullIf(arrayMax(part.9), -1), part[1].11),
                  arraySplit(piece -> piece.10, arraySort(piece -> piece.1, d.pieces)))) AS trips,
          arrayFilter(stay -> stay.3 - stay.1 >= 300,
              arrayMap((since, dwell, silent, lat, lon, places, until) ->
                      (since, until - dwell, until, silent, lat, lon, places),
                  rests.1, rests.2, rests.3, rests.4, rests.5, rests.6, rest_ends.2)) AS found,
          arrayMap(stay -> (
                  toDateTime(if(stay.2 - stay.1 >= 300, stay.2, stay.1), 'UTC'),
                  toDateTime(stay.3, 'UTC'), stay.5 / greatest(stay.7, 1) / 1e7,
                  stay.6 / greatest(stay.7, 1) / 1e7, toUInt32(stay.4), stay.2 - stay.1 >= 300),
              found) AS stays,
          arrayZip(d.cells.1, d.cells.2, d.cells.3, d.cells.4, d.cells.5, d.cells.6,
                   d.cell_speeds.2) AS cells,
          u.next_cut AS next_cut, next_fixes, next_owner, next_first, next_last, next_distance_cm,
          next_odometer_min, next_odometer_max, next_driving_s, next_standing_s, next_gaps,
          next_gap_s, next_jumps, next_speed_max,
          arrayMap(part -> (part[-1].1, part[1].2, part[1].3, part[1].4, part[-1].5, part[-1].6,
                  arraySum(part.7), arraySum(part.8), arrayMax(part.9), true, part[1].11),
              arraySplit(piece -> piece.10, arraySort(piece -> piece.1, closed_pieces)))
              AS next_pieces,
          arrayFilter(rest -> rest.7 - rest.1 >= 300 OR rest.1 = next_before.8,
              arrayZip(closed_rests.1, closed_rests.2, closed_rests.3, closed_rests.4,
                       closed_rests.5, closed_rests.6, closed_rest_ends.2)) AS next_rests,
          arrayZip(closed_cells.1, closed_cells.2, closed_cells.3, closed_cells.4, closed_cells.5,
                   closed_cells.6, closed_cell_speeds.2) AS next_cells,
          next_before
   FROM sums AS d
   INNER JOIN units AS u ON u.n = d.n
   -- A state that went away meanwhile: the day is computed whole at the next time.
   WHERE u.cut = 0 OR d.n IN (SELECT n FROM states);
