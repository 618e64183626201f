-- Days of devices, with their trips and cells. They need the fixes beside each other in time, so a
-- day is computed again, from the deduplicated fixes in the order of their own time, whenever
-- something came for it, however late (ADR 0021).

-- Each device by the minute of its own clock, written with every insert. All columns take a
-- maximum, a minimum or a union, so that repeats, late fixes and any order of arrival give the
-- same row. seconds has bit n set when there is a fix at second n of the minute. The last fix of a
-- minute is the greatest (time, latitude, longitude): of two in one second always the same.
-- Partitions are those of locations: a minute may have a row in its day and one that is_late.
CREATE TABLE IF NOT EXISTS device_minutes
(
    device_id    String CODEC(ZSTD(1)),
    minute       DateTime('UTC') CODEC(Delta, ZSTD(1)),
    seconds      SimpleAggregateFunction(groupBitOr, UInt64) CODEC(ZSTD(1)),
    last_place   SimpleAggregateFunction(max, Tuple(DateTime('UTC'), Int32, Int32))
        CODEC(ZSTD(1)),
    speed_max    SimpleAggregateFunction(max, Nullable(Float32)) CODEC(ZSTD(1)),
    odometer_min SimpleAggregateFunction(min, Nullable(Float64)) CODEC(ZSTD(1)),
    odometer_max SimpleAggregateFunction(max, Nullable(Float64)) CODEC(ZSTD(1)),
    ignition     SimpleAggregateFunction(max, Nullable(Bool)) CODEC(ZSTD(1)),
    provider     SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1)),
    country_id   SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1)),
    is_late      Bool CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY if(is_late, 0, toYYYYMMDD(minute))
PRIMARY KEY (toDate(minute), device_id)
ORDER BY (toDate(minute), device_id, minute)
TTL toDate(minute) + 1 + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         merge_selector_base = 20, min_age_to_force_merge_seconds = 86400,
         min_age_to_force_merge_on_partition_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_flat_fixes_to_device_minutes TO device_minutes AS
SELECT device_id, toStartOfMinute(ts) AS minute,
       groupBitOr(bitShiftLeft(toUInt64(1), toSecond(ts))) AS seconds,
       max((ts, lat_e7, lon_e7)) AS last_place, max(speed) AS speed_max,
       min(odometer) AS odometer_min, max(odometer) AS odometer_max, max(ignition) AS ignition,
       max(provider) AS provider, max(country_id) AS country_id,
       toDate(ts) != toDate(received_at) AS is_late
FROM in_flat_fixes
WHERE counted
GROUP BY device_id, minute, is_late;

CREATE VIEW IF NOT EXISTS v_device_minutes
(
    device_id       String                 COMMENT 'RTT device id.',
    minute          DateTime('UTC')
        COMMENT 'Minute of the fixes, by the device''s clock, UTC.',
    seconds         UInt8
        COMMENT 'Seconds of the minute with a fix, 1 to 60; fixes at 0,0 are left out everywhere.',
    last_ts         DateTime('UTC')
        COMMENT 'Time of the last fix of the minute, UTC seconds.',
    latitude        Float64                COMMENT 'Of the last fix of the minute, degrees.',
    longitude       Float64                COMMENT 'Of the last fix of the minute, degrees.',
    speed_max_kmh   Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry of the fixes, kilometers/hour.',
    odometer_min_km Nullable(Float64)      COMMENT 'Least odometer in the telemetry, kilometers.',
    odometer_max_km Nullable(Float64)
        COMMENT 'Greatest odometer in the telemetry, kilometers.',
    ignition        Nullable(Bool)         COMMENT 'True when it was on at any fix of the minute.',
    provider        LowCardinality(String) COMMENT 'Provider of the calls'' path.',
    country_id      LowCardinality(String) COMMENT 'Country of the fixes as sent.'
)
SQL SECURITY DEFINER
AS SELECT device_id, minute, toUInt8(bitCount(m.seconds)) AS seconds, last_place.1 AS last_ts,
          last_place.2 / 1e7 AS latitude, last_place.3 / 1e7 AS longitude,
          speed_max AS speed_max_kmh, odometer_min AS odometer_min_km,
          odometer_max AS odometer_max_km, ignition, provider, country_id
   FROM device_minutes AS m FINAL
   SETTINGS do_not_merge_across_partitions_select_final = 0,
            defer_partition_pruning_after_final = 0
COMMENT 'Each device by the minute of its own clock; written with every insert.';

-- When something came for a day of a device, and when that day was computed last. `first_marked_at`
-- says since when a day waits that was never computed; after that it is 0. A fix of the last hour
-- of a day also marks the next day, which looks back that far.
CREATE TABLE IF NOT EXISTS device_day_marks
(
    device_id       String                                            CODEC(ZSTD(1)),
    day             Date                                              CODEC(ZSTD(1)),
    first_marked_at SimpleAggregateFunction(min, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    marked_at       SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    computed_at     SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (device_id, day)
TTL day + INTERVAL 402 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         merge_selector_base = 20;

-- Days begin with a minute, so the minutes written say which days were touched.
CREATE MATERIALIZED VIEW IF NOT EXISTS device_minutes_to_device_day_marks TO device_day_marks
SQL SECURITY DEFINER
AS SELECT device_id, touched AS day, min(now64(3, 'UTC')) AS first_marked_at,
          max(now64(3, 'UTC')) AS marked_at
   FROM device_minutes
   ARRAY JOIN arrayDistinct([toDate(minute), toDate(minute + 3600)]) AS touched
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

-- Of each second with several fixes the least counts, so that the choice is always the same. Steps
-- lead from fix to fix. In a step:
--   gap       longer than 900 s: silence, nothing is known
--   moved_s   its seconds and up to 60 more during which the fix before it was repeated, because
--             devices hold a fix while they look for the next
--   shown     its speed by distance and moved_s, km/h; over 350 (97.2 m/s) it is a jump
--   reported  speed of the telemetry at its end, km/h; over 350 it is no speed
--   moving    at least 5 km/h: by the reported speed when the step has 10 s at most, else by the
--             shown speed; only these count as distance and driving.
-- A trip is moving steps with less than 300 s between them. A stop begins when a reporting device
-- has not moved for 300 s. A step belongs to the day in which it ends, so a trip is cut at
-- midnight (UTC); the column continues says that it goes on. Trips of less than 200 m are left out,
-- but not their ends at midnight. Distances are whole centimeters, so that sums do not depend on
-- their order.
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
              max(if(moving OR is_gap OR is_first, at, 0)) OVER before AS still_since
       FROM (
           SELECT *, is_known AND NOT is_jump
                      AND if(dt <= 10 AND reported IS NOT NULL, reported >= 5, shown >= 5)
                          AS moving,
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
                              if(fix.3 BETWEEN 0 AND 350, fix.3, NULL) AS reported,
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
