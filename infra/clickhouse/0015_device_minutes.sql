-- Each device by the minute of its own clock, written with every insert. All columns take a
-- maximum, a minimum or a union, so that repeats, late fixes and any order of arrival give the same
-- row.

-- seconds has bit n set when there is a fix at second n of the minute. The last place of a minute
-- is the greatest (time, latitude, longitude): of two places in one second always the same.
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
    country_id   SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(minute)
ORDER BY (device_id, minute)
TTL minute + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_fixes_to_device_minutes TO device_minutes AS
SELECT m.d AS device_id, toStartOfMinute(ts) AS minute,
       groupBitOr(bitShiftLeft(toUInt64(1), toSecond(ts))) AS seconds,
       max((ts, lat_e7, lon_e7)) AS last_place,
       max(toFloat32(fix.telemetry.speed)::Nullable(Float32)) AS speed_max,
       min(fix.telemetry.odometer) AS odometer_min, max(fix.telemetry.odometer) AS odometer_max,
       max(fix.telemetry.ignition) AS ignition, max(m.p) AS provider,
       max(fix.country_id) AS country_id
FROM in_fixes
WHERE ahead_s BETWEEN -34560000 AND 86400 AND bitAnd(place_flags, 2) = 0
GROUP BY device_id, minute;

-- What came before this file. Repeating it changes nothing, and so does a fix that came both ways.
INSERT INTO device_minutes
SELECT device_id, toStartOfMinute(ts) AS minute,
       groupBitOr(bitShiftLeft(toUInt64(1), toSecond(ts))), max((ts, lat_e7, lon_e7)), max(speed),
       min(odometer), max(odometer), max(ignition), max(provider), max(country_id)
FROM locations
WHERE lat_e7 != 0 OR lon_e7 != 0
GROUP BY device_id, minute
SETTINGS max_partitions_per_insert_block = 2000;

CREATE VIEW IF NOT EXISTS v_device_minutes
(
    device_id    String                 COMMENT 'RTT device id.',
    minute       DateTime('UTC')        COMMENT 'Minute of the fixes, by the device''s clock, UTC.',
    fixes        UInt8
        COMMENT 'Seconds of the minute with a fix, 1 to 60; fixes at 0,0 are left out everywhere.',
    last_ts      DateTime('UTC')        COMMENT 'Time of the last fix of the minute, UTC seconds.',
    latitude     Float64                COMMENT 'Of the last fix of the minute, degrees.',
    longitude    Float64                COMMENT 'Of the last fix of the minute, degrees.',
    speed_max    Nullable(Float32)
        COMMENT 'Greatest speed in the telemetry of the fixes, kilometers/hour.',
    odometer_min Nullable(Float64)      COMMENT 'Least odometer in the telemetry, kilometers.',
    odometer_max Nullable(Float64)      COMMENT 'Greatest odometer in the telemetry, kilometers.',
    ignition     Nullable(Bool)         COMMENT 'True when it was on at any fix of the minute.',
    provider     LowCardinality(String) COMMENT 'Provider of the calls'' path.',
    country_id   LowCardinality(String) COMMENT 'Country of the fixes as sent.'
)
SQL SECURITY DEFINER
AS SELECT device_id, minute, toUInt8(bitCount(seconds)) AS fixes, last_place.1 AS last_ts,
          last_place.2 / 1e7 AS latitude, last_place.3 / 1e7 AS longitude, speed_max,
          odometer_min, odometer_max, ignition, provider, country_id
   FROM device_minutes FINAL
   SETTINGS do_not_merge_across_partitions_select_final = 1;
