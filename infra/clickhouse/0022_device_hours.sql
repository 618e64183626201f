-- Hours of devices (ADR 0067). An hour is computed from its fixes, the 23 minutes before and the 10
-- after, so that each hour is computed alone and always with the same result.

-- The hours to compute next: live ones are those of the last three hours, by their own clock. An
-- hour is due when something came since 300 s before it was computed (an insert is seen later than
-- its mark says), and was not computed for `pace_s`. Today comes first, then yesterday, then the
-- rest; among them what waits for longest. Their number depends on their fixes, because these take
-- the memory. Minutes say how many an hour has. `chosen` is one array, since ClickHouse
-- computes a named subquery again at each use.
CREATE VIEW IF NOT EXISTS device_hours_due
SQL SECURITY DEFINER
AS WITH (
       SELECT groupArray((device_id, hour))
       FROM (SELECT device_id, hour
             FROM (SELECT device_id, hour, max(marked_at) AS marked, max(computed_at) AS computed,
                          greatest(computed, min(m.first_marked_at)) AS since
                   FROM device_hour_marks AS m
                   WHERE if({is_live:UInt8}, hour >= toStartOfHour(now('UTC')) - 7200,
                            hour < toStartOfHour(now('UTC')) - 7200)
                   GROUP BY device_id, hour)
             WHERE marked > computed - INTERVAL 300 SECOND
               AND computed <= now64(3, 'UTC') - INTERVAL {pace_s:UInt32} SECOND
             ORDER BY least(today() - least(toDate(hour), today()), 2), toStartOfMinute(since),
                      device_id, hour
             LIMIT 20000)) AS chosen
   SELECT device_id, hour, toUInt32(turn) AS turn, fixes
   FROM (SELECT turn, device_id, hour, fixes,
                sum(fixes) OVER (ORDER BY turn
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS fixes_before
         FROM (SELECT turn, device_id, hour, sum(bitCount(seconds)) AS fixes
               FROM (SELECT unit.1 AS turn, unit.2 AS device_id, unit.3 AS hour
                     FROM (SELECT arrayJoin(arrayMap((one, turn) -> (turn, one.1, one.2),
                                                     chosen, arrayEnumerate(chosen))) AS unit))
                    AS units
               LEFT JOIN (
                   SELECT device_id, toStartOfHour(minute) AS hour, seconds
                   FROM device_minutes
                   WHERE minute >= arrayMin(chosen.2) AND minute < arrayMax(chosen.2) + 3600
                     AND device_id IN (SELECT arrayJoin(chosen).1)) AS minutes
                   USING (device_id, hour)
               GROUP BY turn, device_id, hour))
   WHERE fixes_before < 500000;

-- Points: the first fix of five seconds; of several in one second the least, so that the choice is
-- always the same. Repeats change none of this, so that FINAL is not needed. A fix is packed into
-- one number, which is compared much faster than a tuple: second, place, speed, accuracy, ignition.
-- Speeds above 350 km/h are none. The owner is that of the last fix at its first sending.
CREATE VIEW IF NOT EXISTS device_points_now
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((device_id, hour, turn))
         FROM device_hours_due(is_live = {is_live:UInt8}, pace_s = {pace_s:UInt32})
         WHERE fixes > 0) AS due
   SELECT f.turn AS turn, toLowCardinality(any(f.device_id)) AS device_id, any(f.hour) AS hour,
          intDiv(s, 5) AS five, min(fix) AS least_fix,
          groupBitOr(bit) AS all_s, groupBitOrIf(bit, valid >= 0) AS told_s,
          groupBitOrIf(bit, valid > 50) AS over_50_s, groupBitOrIf(bit, valid > 80) AS over_80_s,
          groupBitOrIf(bit, valid > 110) AS over_110_s, groupBitOrIf(bit, valid > 130)
              AS over_130_s,
          max(valid) AS speed_max, min(f.odometer) AS odometer_min, max(f.odometer) AS odometer_max,
          max(last) AS last_fix, argMax(f.client_id, rank) AS client_id,
          argMax(f.provider, rank) AS provider, argMax(f.country_id, rank) AS country_id,
          argMax(f.transport_id, rank) AS transport_id
   FROM (
       SELECT units.turn AS turn, device_id, hour, toInt64(toUnixTimestamp(ts)) AS s, odometer,
              client_id, provider, country_id, transport_id,
              if(speed BETWEEN 0 AND 350, assumeNotNull(speed), -1) AS valid,
              toUInt8(bitShiftLeft(1, s % 5)) AS bit,
              bitShiftLeft(toUInt128(s % 5), 64) + bitShiftLeft(toUInt128(lat_e7 + 2147483648), 32)
                  + toUInt128(lon_e7 + 2147483648) AS last,
              bitShiftLeft(last, 45)
                  + bitShiftLeft(toUInt128(if(valid < 0, 0, round(valid * 100) + 1)), 29)
                  + bitShiftLeft(toUInt128(if(accuracy >= 0,
                      least(round(assumeNotNull(accuracy) * 100) + 1, 134217727), 0)), 2)
                  + ifNull(ignition + 1, 0) AS fix,
              bitShiftLeft(toUInt128(s % 5), 120) + bitShiftLeft(toUInt128(k_rank), 56)
                  + bitShiftRight(cityHash64(lat_e7, lon_e7), 8) AS rank
       FROM (SELECT device_id, ts, lat_e7, lon_e7, speed, accuracy, ignition, odometer, client_id,
                    provider, country_id, transport_id, k_rank,
                    arrayJoin(arrayDistinct([toStartOfHour(ts - 600), toStartOfHour(ts),
                                             toStartOfHour(ts + 1380)])) AS hour
             FROM locations
             WHERE ts >= arrayMin(due.2) - 1380 AND ts < arrayMax(due.2) + 4200
               AND (toDate(ts), device_id) IN (
                   SELECT arrayJoin([toDate(one.2 - 1380), toDate(one.2), toDate(one.2 + 4199)]),
                          one.1
                   FROM (SELECT arrayJoin(due) AS one))
               AND bitAnd(flag_bits, 2) = 0) AS fixes
       INNER JOIN (SELECT one.1 AS device_id, one.2 AS hour, one.3 AS turn
                   FROM (SELECT arrayJoin(due) AS one)) AS units
       USING (device_id, hour)) AS f
   GROUP BY turn, five;

-- Cells: 30 s with a point; its place is the mean of its points.
--   jump      a step from point to point of at most 900 s that needs more than 350 km/h, 97.2 m/s.
--             Up to 60 s for which the point before was repeated count as moving, because
--             devices hold a fix while they look for the next. A point that is jumped to and away
--             from, in at most 300 s each, is held to be where the one before it was.
CREATE VIEW IF NOT EXISTS device_half_minutes_now
SQL SECURITY DEFINER
AS SELECT turn, any(p.device_id) AS device_id, any(p.hour) AS hour, intDiv(five, 6) AS cell,
          count() AS places, sum(lat) / places / 1e7 AS latitude, sum(lon) / places / 1e7
              AS longitude,
          min(at) AS t0, max(at) AS t1, sum(metres) AS along, sum(is_jump) AS jumps,
          countIf(speed >= 0) AS told, sumIf(speed, speed >= 0) AS told_sum, max(speed) AS told_max,
          countIf(accuracy >= 0) AS accurate, sumIf(accuracy, accuracy >= 0) AS accuracy_sum,
          countIf(ignition >= 0) AS ignited, countIf(ignition > 0) AS ignited_on,
          sum(bitCount(all_s)) AS seconds, max(p.speed_max) AS speed_max,
          min(p.odometer_min) AS odometer_min, max(p.odometer_max) AS odometer_max,
          argMin((at, raw_lat / 1e7, raw_lon / 1e7), five) AS first,
          argMax((five * 5 + toInt64(bitShiftRight(last_fix, 64)),
                  (toInt64(bitAnd(bitShiftRight(last_fix, 32), 4294967295)) - 2147483648) / 1e7,
                  (toInt64(bitAnd(last_fix, 4294967295)) - 2147483648) / 1e7), five) AS last,
          argMax(p.client_id, five) AS client_id, argMax(p.provider, five) AS provider,
          argMax(p.country_id, five) AS country_id, argMax(p.transport_id, five) AS transport_id,
          groupArray((geoToH3(lat / 1e7, lon / 1e7, 8), toUInt64(bitCount(all_s)),
              toUInt64(bitCount(told_s)), toUInt64(bitCount(over_50_s)),
              toUInt64(bitCount(over_80_s)), toUInt64(bitCount(over_110_s)),
              toUInt64(bitCount(over_130_s)), if(speed >= 0, speed * bitCount(told_s), 0.),
              toFloat32(p.speed_max))) AS squares
   FROM (
       SELECT *, lagInFrame(lat, 1, lat) OVER pair AS lat0, lagInFrame(lon, 1, lon) OVER pair
           AS lon0,
              greatCircleDistance(lon0 / 1e7, lat0 / 1e7, lon / 1e7, lat / 1e7) AS step,
              if(dt <= 900 AND step <= 97.2 * (dt + 60), step, 0) AS metres
       FROM (
           SELECT *, is_sharp AND leadInFrame(is_sharp, 1, 0) OVER pair AS is_spike,
                  if(is_spike, raw_lat0, raw_lat) AS lat, if(is_spike, raw_lon0, raw_lon) AS lon
           FROM (
               SELECT *, max(if(is_moved, at, 0)) OVER before AS arrived,
                      dt > 0 AND dt <= 900 AND greatCircleDistance(
                          raw_lon0 / 1e7, raw_lat0 / 1e7, raw_lon / 1e7, raw_lat / 1e7)
                          > 97.2 * (dt + least(at0 - arrived, 60)) AS is_jump,
                      is_jump AND dt <= 300 AS is_sharp
               FROM (
                   SELECT *, five * 5 + toInt64(bitShiftRight(least_fix, 109)) AS at,
                          toInt64(bitAnd(bitShiftRight(least_fix, 77), 4294967295)) - 2147483648
                              AS raw_lat,
                          toInt64(bitAnd(bitShiftRight(least_fix, 45), 4294967295)) - 2147483648
                              AS raw_lon,
                          (toInt64(bitAnd(bitShiftRight(least_fix, 29), 65535)) - 1) / 100 AS speed,
                          (toInt64(bitAnd(bitShiftRight(least_fix, 2), 134217727)) - 1) / 100
                              AS accuracy,
                          toInt64(bitAnd(least_fix, 3)) - 1 AS ignition,
                          lagInFrame(at, 1, at) OVER pair AS at0, at - at0 AS dt,
                          lagInFrame(raw_lat, 1, raw_lat) OVER pair AS raw_lat0,
                          lagInFrame(raw_lon, 1, raw_lon) OVER pair AS raw_lon0,
                          dt = 0 OR raw_lat != raw_lat0 OR raw_lon != raw_lon0 AS is_moved
                   FROM device_points_now(is_live = {is_live:UInt8}, pace_s = {pace_s:UInt32})
                   WINDOW pair AS (PARTITION BY turn ORDER BY five
                                   ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
               WINDOW before AS (PARTITION BY turn ORDER BY five
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
           WINDOW pair AS (PARTITION BY turn ORDER BY five
                           ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING))
       WINDOW pair AS (PARTITION BY turn ORDER BY five
                       ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)) AS p
   GROUP BY turn, cell;

-- Legs, the steps from cell to cell that are of one kind, and the hour with all of them.
--   known     a step after at most 900 s; the first cell after a silence has only its own seconds
--   stays     a cell whose next 300 s lie within one place. The diagonal of the box around the
--             cells is at most 3 times the root mean square of their steps. Noise hardly exceeds
--             this, a course does. It may be 60 m or 4 times the accuracy in any case, and 200 m
--             at most. While speed or ignition say that it is parked: 200 m.
--   still     a step that is within 300 s that stay; of more than 300 s, one of at most 200 m
--   metres    along the points, which noise makes longer; straight from cell to cell where that
--             is more than 1.5 times the straight way, over three cells
--   driving   at least 5 km/h: by the mean of the speeds of a cell that has two, else by metres
-- Distances are whole centimeters, so that sums do not depend on their order.
CREATE VIEW IF NOT EXISTS device_hours_now
SQL SECURITY DEFINER
AS SELECT any(r.device_id) AS device_id, any(r.hour) AS hour,
          argMax(r.client_id, run) AS client_id, argMax(r.provider, run) AS provider,
          argMax(r.country_id, run) AS country_id, argMax(r.transport_id, run) AS transport_id,
          toUInt16(sum(r.seconds)) AS seconds,
          argMin(r.first, run) AS first_fix, argMax(r.last, run) AS last_fix,
          (toDateTime(first_fix.1, 'UTC'), first_fix.2, first_fix.3) AS first,
          (toDateTime(last_fix.1, 'UTC'), last_fix.2, last_fix.3) AS last,
          min(r.odometer_min) AS odometer_min, max(r.odometer_max) AS odometer_max,
          nullIf(max(r.speed_most), -1) AS speed_max, toUInt16(sum(r.jumps)) AS jumps,
          arraySort(one -> one.1, groupArray((run, leg))).2 AS legs,
          groupArrayArray(r.squares) AS all_squares,
          sumMap(r.squares.1, r.squares.2, r.squares.3, r.squares.4, r.squares.5, r.squares.6,
                 r.squares.7, r.squares.8) AS sums,
          maxMap(r.squares.1, r.squares.9) AS most,
          arrayMap((h3, all_s, told, over_50, over_80, over_110, over_130, total, peak) ->
                  (h3, all_s, told, over_50, over_80, over_110, over_130, total, nullIf(peak, -1)),
              sums.1, sums.2, sums.3, sums.4, sums.5, sums.6, sums.7, sums.8, most.2) AS cells
   FROM (
       SELECT turn, run, any(c.device_id) AS device_id, any(c.hour) AS hour,
              (any(is_way), toDateTime(min(since), 'UTC'), toDateTime(max(t1), 'UTC'),
               argMin(lat_from, cell), argMin(lon_from, cell),
               argMax(latitude, cell), argMax(longitude, cell),
               least(min(latitude), min(lat_from)), greatest(max(latitude), max(lat_from)),
               least(min(longitude), min(lon_from)), greatest(max(longitude), max(lon_from)),
               sum(latitude), sum(longitude), toUInt16(count()), sum(step_cm),
               toUInt16(sumIf(dt, is_driving)), nullIf(max(c.speed_max), -1)) AS leg,
              sum(c.seconds) AS seconds, sum(c.jumps) AS jumps,
              argMin(c.first, cell) AS first, argMax(c.last, cell) AS last,
              argMax(c.client_id, cell) AS client_id, argMax(c.provider, cell) AS provider,
              argMax(c.country_id, cell) AS country_id, argMax(c.transport_id, cell)
                  AS transport_id,
              max(c.speed_max) AS speed_most, min(c.odometer_min) AS odometer_min,
              max(c.odometer_max) AS odometer_max, groupArrayArray(c.squares) AS squares
       FROM (
           SELECT *, sum(is_new) OVER (PARTITION BY turn ORDER BY cell) AS run
           FROM (
               SELECT *, NOT is_still AS is_way,
                      if(along3 > 1.5 * straight3, straight, along) AS metres,
                      is_way AND NOT is_far AND if(told >= 2, told_sum >= 5 * told,
                          metres > 0 AND 3.6 * metres >= 5 * dt) AS is_driving,
                      if(is_driving, toUInt64(round(metres * 100)), 0) AS step_cm,
                      NOT is_known OR is_way != lagInFrame(is_way, 1, is_way) OVER pair
                          OR intDiv(cell, if(is_way, 30, 120))
                              != intDiv(cell0, if(is_way, 30, 120)) AS is_new
               FROM (
                   SELECT *, multiIf(NOT is_known, is_stay, cell - cell0 > 10, straight <= 200,
                                     NOT is_far AND max(is_stay) OVER back) AS is_still
                   FROM (
                       SELECT *, sum(along) OVER beside AS along3, sum(straight) OVER beside
                           AS straight3,
                              min(latitude) OVER ahead AS south, min(longitude) OVER ahead AS west,
                              0.017453292519943295 * 6371008.8 AS degree,
                              sqrt(pow((max(latitude) OVER ahead - south) * degree, 2)
                                  + pow((max(longitude) OVER ahead - west) * degree
                                        * cos(0.017453292519943295 * south), 2)) AS extent,
                              sum(straight * straight) OVER ahead - straight * straight
                                  AS squares_sum,
                              count() OVER ahead AS near,
                              sum(accurate) OVER ahead AS accurate_near,
                              sum(told) OVER ahead AS told_near, sum(ignited) OVER ahead
                                  AS ignited_near,
                              (told_near > 0 AND max(told_max) OVER ahead < 5)
                                  OR (ignited_near > 0 AND sum(ignited_on) OVER ahead = 0)
                                      AS stands,
                              extent <= if(stands, 200, least(200, greatest(60,
                                  3 * sqrt(greatest(squares_sum, 0) / greatest(near - 1, 1)),
                                  4 * sum(accuracy_sum) OVER ahead / greatest(accurate_near, 1))))
                                  AS is_stay
                       FROM (
                           SELECT *, lagInFrame(cell, 1, cell) OVER pair AS cell0,
                                  lagInFrame(t1, 1, 0) OVER pair AS before,
                                  cell0 < cell AND t0 - before <= 900 AS is_known,
                                  if(is_known, before, t0) AS since, t1 - since AS dt,
                                  if(is_known, lagInFrame(latitude, 1, 0.) OVER pair, latitude)
                                      AS lat_from,
                                  if(is_known, lagInFrame(longitude, 1, 0.) OVER pair, longitude)
                                      AS lon_from,
                                  greatCircleDistance(lon_from, lat_from, longitude, latitude)
                                      AS straight,
                                  straight > 97.2 * (dt + 60) AS is_far
                           FROM device_half_minutes_now(is_live = {is_live:UInt8},
                                                        pace_s = {pace_s:UInt32})
                           WINDOW pair AS (PARTITION BY turn ORDER BY cell
                                           ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
                       WINDOW ahead AS (PARTITION BY turn ORDER BY cell
                                        RANGE BETWEEN CURRENT ROW AND 10 FOLLOWING),
                              beside AS (PARTITION BY turn ORDER BY cell
                                         RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING))
                   WINDOW back AS (PARTITION BY turn ORDER BY cell
                                   RANGE BETWEEN 10 PRECEDING AND 1 PRECEDING))
               WINDOW pair AS (PARTITION BY turn ORDER BY cell
                               ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
           WHERE intDiv(cell, 120) = intDiv(toInt64(toUnixTimestamp(hour)), 3600)) AS c
       GROUP BY turn, run) AS r
   GROUP BY turn;

-- Every few seconds half a million fixes, so that memory is bounded whatever an hour holds.
-- What is live and what is older have views of their own, so that neither waits for the other.
CREATE MATERIALIZED VIEW IF NOT EXISTS device_hours_refresh
REFRESH EVERY 10 SECOND APPEND TO device_hours EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, hour, client_id, provider, country_id, transport_id, seconds, first, last,
          odometer_min, odometer_max, speed_max, jumps, legs, cells, now64(3, 'UTC') AS computed_at
   FROM device_hours_now(is_live = 1, pace_s = 300);

CREATE MATERIALIZED VIEW IF NOT EXISTS device_older_hours_refresh
REFRESH EVERY 20 SECOND APPEND TO device_hours EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, hour, client_id, provider, country_id, transport_id, seconds, first, last,
          odometer_min, odometer_max, speed_max, jumps, legs, cells, now64(3, 'UTC') AS computed_at
   FROM device_hours_now(is_live = 0, pace_s = 300);

-- Hours that only the fixes beside them marked have nothing to compute.
CREATE MATERIALIZED VIEW IF NOT EXISTS device_empty_hours_refresh
REFRESH EVERY 1 MINUTE APPEND TO device_hour_marks EMPTY
SQL SECURITY DEFINER
AS SELECT hour, device_id, now64(3, 'UTC') AS computed_at
   FROM device_hours_due(is_live = 1, pace_s = 0)
   WHERE fixes = 0
   UNION ALL
   SELECT hour, device_id, now64(3, 'UTC') AS computed_at
   FROM device_hours_due(is_live = 0, pace_s = 0)
   WHERE fixes = 0;
