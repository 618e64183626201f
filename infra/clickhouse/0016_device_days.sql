-- Days of devices, with their trips and cells. They need the fixes beside each other in time, so
-- they are computed anew, day by day, whenever something came for the day, however late: from the
-- deduplicated fixes in the order of their own time, never from the order of arrival (ADR 0021).

-- When something came for a day of a device, and when that day was computed last. A fix of the last
-- hour of a day also marks the next, which looks back that far.
CREATE TABLE IF NOT EXISTS device_day_marks
(
    device_id   String                                            CODEC(ZSTD(1)),
    day         Date                                              CODEC(ZSTD(1)),
    marked_at   SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    computed_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (device_id, day)
TTL day + INTERVAL 402 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_fixes_to_device_day_marks TO device_day_marks AS
SELECT m.d AS device_id, touched AS day, max(now64(3, 'UTC')) AS marked_at
FROM in_fixes
ARRAY JOIN arrayDistinct([toDate(ts), toDate(ts + 3600)]) AS touched
WHERE ahead_s BETWEEN -34560000 AND 86400 AND bitAnd(place_flags, 2) = 0
GROUP BY device_id, day;

CREATE TABLE IF NOT EXISTS device_days
(
    device_id    String                 CODEC(ZSTD(1)),
    day          Date                   CODEC(ZSTD(1)),
    client_id    LowCardinality(String) CODEC(ZSTD(1)),
    provider     LowCardinality(String) CODEC(ZSTD(1)),
    country_id   LowCardinality(String) CODEC(ZSTD(1)),
    transport_id Int64                  CODEC(ZSTD(1)),
    fixes        UInt32                 CODEC(ZSTD(1)),
    first        Tuple(ts DateTime('UTC'), latitude Float64, longitude Float64) CODEC(ZSTD(1)),
    last         Tuple(ts DateTime('UTC'), latitude Float64, longitude Float64) CODEC(ZSTD(1)),
    distance_cm  UInt64                 CODEC(ZSTD(1)),
    odometer_km  Nullable(Float64)      CODEC(ZSTD(1)),
    driving_s    UInt32                 CODEC(ZSTD(1)),
    standing_s   UInt32                 CODEC(ZSTD(1)),
    stops        UInt16                 CODEC(ZSTD(1)),
    gaps         UInt16                 CODEC(ZSTD(1)),
    gap_s        UInt32                 CODEC(ZSTD(1)),
    jumps        UInt32                 CODEC(ZSTD(1)),
    speed_max    Nullable(Float32)      CODEC(ZSTD(1)),
    trips        Array(Tuple(
        start_ts DateTime('UTC'), start_latitude Float64, start_longitude Float64,
        end_ts DateTime('UTC'), end_latitude Float64, end_longitude Float64,
        distance_cm UInt64, driving_s UInt32, speed_max Nullable(Float32), continues Bool))
        CODEC(ZSTD(1)),
    cells        Array(Tuple(
        h3 UInt64, fixes UInt64, over_50 UInt64, over_80 UInt64, over_110 UInt64, over_130 UInt64,
        speed_max Float32)) CODEC(ZSTD(1)),
    computed_at  DateTime64(3, 'UTC')   CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY toYYYYMM(day)
ORDER BY (device_id, day)
TTL day + INTERVAL 400 DAY DELETE
SETTINGS ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_days_to_device_day_marks TO device_day_marks
SQL SECURITY DEFINER
AS SELECT device_id, day, max(computed_at) AS computed_at
   FROM device_days
   GROUP BY device_id, day;

-- Which days are to be computed: what was marked since, or so shortly before that its rows may not
-- have been visible yet (an insert ends within 300 s). At most 5,000 at a time, drawn by lot, so
-- that none waits for ever behind others.
CREATE VIEW IF NOT EXISTS device_days_due
SQL SECURITY DEFINER
AS SELECT device_id, day
   FROM (SELECT device_id, day, max(marked_at) AS marked, max(computed_at) AS computed
         FROM device_day_marks
         GROUP BY device_id, day)
   WHERE marked > computed - INTERVAL 300 SECOND
   ORDER BY cityHash64(device_id, day, now())
   LIMIT 5000;

-- Of each second with several places the least counts, so that the choice is the same always.
-- Steps lead from fix to fix. In a step:
--   gap       longer than 900 s: silence, nobody knows what was
--   moved_s   its seconds and up to 60 more during which the place before it was repeated, because
--             devices hold a fix while they look for the next
--   shown     its speed by distance and moved_s, km/h; over 350 (97.2 m/s) it is a jump
--   told      speed of the telemetry at its end, km/h; over 350 it is no speed
--   moving    at least 5 km/h: by what was told when the step has 10 s at most, else by what it
--             shows; only these count as distance and driving
-- A trip is moving steps with less than 300 s between them; a stop begins when a device that
-- reports has not moved for 300 s. A step belongs to the day in which it ends, and so a trip is cut
-- at midnight (UTC); what goes on says so (continues). Trips of less than 200 m are left out, but
-- not their ends at midnight. Distances are whole centimeters, so that sums do not depend on their
-- order.
CREATE VIEW IF NOT EXISTS device_days_now
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((device_id, day)) FROM device_days_due) AS due
   SELECT device_id, day,
          argMaxIf(owner.1, at, own) AS client_id, argMaxIf(owner.2, at, own) AS provider,
          argMaxIf(owner.3, at, own) AS country_id, argMaxIf(owner.4, at, own) AS transport_id,
          toUInt32(countIf(own)) AS fixes,
          argMinIf((toDateTime(at, 'UTC'), la, lo), at, own) AS first,
          argMaxIf((toDateTime(at, 'UTC'), la, lo), at, own) AS last,
          sumIf(step_cm, own) AS distance_cm,
          maxIf(odometer, own) - minIf(odometer, own) AS odometer_km,
          toUInt32(sumIf(dt, own AND moving)) AS driving_s,
          toUInt32(sumIf(dt, own AND is_still)) AS standing_s,
          toUInt16(countIf(own AND is_still AND at - still_since >= 300
              AND at - dt - still_since < 300)) AS stops,
          toUInt16(countIf(own AND is_gap)) AS gaps,
          toUInt32(sumIf(dt, own AND is_gap)) AS gap_s,
          toUInt32(countIf(own AND is_jump)) AS jumps,
          maxIf(told, own) AS speed_max,
          arraySort(step -> step.1, groupArrayIf(
              (at, at - dt, la0, lo0, la, lo, step_cm, dt, ifNull(told, -1),
               at - dt - moved_before >= 300 OR moved_today = 0,
               at - dt - moved_before < 300), own AND moving)) AS steps,
          arrayFilter(trip -> trip.7 >= 20000 OR trip.10
                  OR trip.4 >= toDateTime(day + 1, 'UTC') - 300,
              arrayMap(part -> (toDateTime(part[1].2, 'UTC'), part[1].3, part[1].4,
                      toDateTime(part[-1].1, 'UTC'), part[-1].5, part[-1].6,
                      arraySum(part.7), toUInt32(arraySum(part.8)),
                      nullIf(arrayMax(part.9), -1), part[1].11),
                  arraySplit(step -> step.10, steps))) AS trips,
          sumMapIf([cell], [toUInt64(1)], [toUInt64(told > 50)], [toUInt64(told > 80)],
              [toUInt64(told > 110)], [toUInt64(told > 130)], own AND told IS NOT NULL) AS sums,
          maxMapIf([cell], [assumeNotNull(told)], own AND told IS NOT NULL) AS most,
          arrayMap((h3, n, over_50, over_80, over_110, over_130, fastest) ->
                  (h3, n, over_50, over_80, over_110, over_130, fastest),
              tupleElement(sums, 1), tupleElement(sums, 2), tupleElement(sums, 3),
              tupleElement(sums, 4), tupleElement(sums, 5), tupleElement(sums, 6),
              tupleElement(most, 2)) AS cells
   FROM (
       SELECT *, toDate(toDateTime(at, 'UTC')) = day AS own,
              max(if(moving, at, 0)) OVER before AS moved_before,
              max(if(moving AND own, at, 0)) OVER before AS moved_today,
              max(if(moving OR is_gap OR is_first, at, 0)) OVER before AS still_since
       FROM (
           SELECT *, is_known AND NOT is_jump
                      AND if(dt <= 10 AND told IS NOT NULL, told >= 5, shown >= 5) AS moving,
                  is_known AND NOT is_jump AND NOT moving AS is_still,
                  if(moving, toUInt64(round(metres * 100)), 0) AS step_cm
           FROM (
               SELECT *, at - at0 AS dt, dt > 900 AS is_gap,
                      NOT is_first AND NOT is_gap AS is_known,
                      greatest(dt + least(at0 - arrived, 60), 1) AS moved_s,
                      greatCircleDistance(lo0, la0, lo, la) AS metres,
                      3.6 * metres / moved_s AS shown,
                      is_known AND metres > 97.2 * moved_s AS is_jump
               FROM (
                   SELECT *, at0 = at AS is_first,
                          max(if(is_first OR la != la0 OR lo != lo0, at, 0)) OVER before AS arrived
                   FROM (
                       SELECT *, fix.1 AS la, fix.2 AS lo, geoToH3(la, lo, 8) AS cell,
                              if(fix.3 BETWEEN 0 AND 350, fix.3, NULL) AS told,
                              nullIf(fix.4, -1) AS odometer,
                              lagInFrame(at, 1, at) OVER pair AS at0,
                              lagInFrame(fix, 1, fix) OVER pair AS fix0,
                              tupleElement(fix0, 1) AS la0, tupleElement(fix0, 2) AS lo0
                       FROM (
                           SELECT device_id, touched AS day, toInt64(toUnixTimestamp(ts)) AS at,
                                  min((latitude, longitude, ifNull(speed, -1),
                                       ifNull(odometer, -1))) AS fix,
                                  max((client_id, provider, country_id, transport_id)) AS owner
                           FROM v_locations
                           ARRAY JOIN arrayDistinct([toDate(ts), toDate(ts + 3600)]) AS touched
                           WHERE device_id IN (SELECT arrayJoin(due).1)
                             AND ts >= toDateTime(arrayMin(due.2), 'UTC') - 3600
                             AND ts < toDateTime(arrayMax(due.2) + 1, 'UTC')
                             AND (latitude != 0 OR longitude != 0)
                             AND (device_id, touched) IN (SELECT unit.1, unit.2
                                                        FROM (SELECT arrayJoin(due) AS unit))
                           GROUP BY device_id, day, at)
                       WINDOW pair AS (PARTITION BY device_id, day ORDER BY at
                                       ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
                   WINDOW before AS (PARTITION BY device_id, day ORDER BY at
                                     ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))))
       WINDOW before AS (PARTITION BY device_id, day ORDER BY at
                         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
   GROUP BY device_id, day;

CREATE MATERIALIZED VIEW IF NOT EXISTS device_days_refresh
REFRESH EVERY 5 MINUTE APPEND TO device_days EMPTY
SQL SECURITY DEFINER
AS SELECT device_id, day, client_id, provider, country_id, transport_id, fixes, first, last,
          distance_cm, odometer_km, driving_s, standing_s, stops, gaps, gap_s, jumps, speed_max,
          trips, cells, now64(3, 'UTC') AS computed_at
   FROM device_days_now;

-- What came before this file waits for its first computing like anything else.
INSERT INTO device_day_marks (device_id, day, marked_at)
SELECT device_id, touched AS day, now64(3, 'UTC')
FROM locations
ARRAY JOIN arrayDistinct([toDate(ts), toDate(ts + 3600)]) AS touched
WHERE lat_e7 != 0 OR lon_e7 != 0
GROUP BY device_id, day
SETTINGS max_partitions_per_insert_block = 2000;
