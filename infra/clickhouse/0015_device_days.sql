-- Days of devices, with their trips, stops and cells. They need the fixes beside each other in
-- time, so a day is computed again (0022), from the deduplicated fixes in the order of their own
-- time, whenever something came for it, however late (ADR 0021).

-- Each device by the minute of its own clock, written with every insert. All columns take a
-- maximum, a minimum or a union, so that repeats, late fixes and any order of arrival give the
-- same row. seconds has bit n set when there is a fix at second n of the minute. The last fix of a
-- minute is the greatest (time, latitude, longitude): of two in one second always the same. Behind
-- these is its H3 cell of resolution 8, which costs a question for heat more than all else.
-- Partitions are those of locations: a minute may have a row in its day and one that is_late.
--
-- arrived_at is when something last came for it, so that days are computed from what is new (0021).
-- Its index leaves out parts of which nothing is.
--
-- frame_minutes says what a row is: 0 a minute of a device; 1, 10 and 60 the frame of so many
-- minutes (ADR 0088). A frame has the last fix of its device alone: time, place, and as one text,
-- which reads faster than three, client, provider and country with tabs between. It is ordered by
-- time before the device, so that where all devices were is one range (v_fleet_at, 0036). Frames
-- are rows of this table, and not of one more, because an insert makes a part for each table and
-- day that it writes.
CREATE TABLE IF NOT EXISTS device_minutes
(
    frame_minutes UInt8 CODEC(ZSTD(1)),
    device_id    String CODEC(ZSTD(1)),
    minute       DateTime('UTC') CODEC(Delta, ZSTD(1)),
    seconds      SimpleAggregateFunction(groupBitOr, UInt64) CODEC(ZSTD(1)),
    last_place   SimpleAggregateFunction(max,
        Tuple(DateTime('UTC'), Int32, Int32, UInt64)) CODEC(ZSTD(1)),
    speed_max    SimpleAggregateFunction(max, Nullable(Float32)) CODEC(ZSTD(1)),
    odometer_min SimpleAggregateFunction(min, Nullable(Float64)) CODEC(ZSTD(1)),
    odometer_max SimpleAggregateFunction(max, Nullable(Float64)) CODEC(ZSTD(1)),
    ignition     SimpleAggregateFunction(max, Nullable(Bool)) CODEC(ZSTD(1)),
    provider     SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1)),
    country_id   SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1)),
    last_fix     SimpleAggregateFunction(max,
        Tuple(DateTime('UTC'), Int32, Int32, String)) CODEC(ZSTD(1)),
    is_late      Bool CODEC(ZSTD(1)),
    arrived_at   SimpleAggregateFunction(max, DateTime('UTC')) CODEC(Delta, ZSTD(1)),
    frame_at     DateTime('UTC') MATERIALIZED if(frame_minutes = 0, toDateTime(0, 'UTC'), minute)
        CODEC(Delta, ZSTD(1)),
    INDEX ix_arrived arrived_at TYPE minmax GRANULARITY 1
)
ENGINE = AggregatingMergeTree
PARTITION BY if(is_late, 0, toYYYYMMDD(minute))
PRIMARY KEY (frame_minutes, toDate(minute), frame_at, device_id)
ORDER BY (frame_minutes, toDate(minute), frame_at, device_id, minute)
TTL toDate(minute) + 1 + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         merge_selector_base = 20, min_age_to_force_merge_seconds = 86400,
         min_age_to_force_merge_on_partition_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_flat_fixes_to_device_minutes TO device_minutes AS
SELECT frame_minutes, device_id, multiIf(frame_minutes = 60, toStartOfHour(at),
           frame_minutes = 10, toStartOfTenMinutes(at), at) AS minute,
       if(frame_minutes = 0, m.seconds, 0) AS seconds,
       if(frame_minutes = 0, m.last_place, (toDateTime(0, 'UTC'), 0, 0, 0)) AS last_place,
       if(frame_minutes = 0, m.speed_max, NULL) AS speed_max,
       if(frame_minutes = 0, m.odometer_min, NULL) AS odometer_min,
       if(frame_minutes = 0, m.odometer_max, NULL) AS odometer_max,
       if(frame_minutes = 0, m.ignition, NULL) AS ignition,
       if(frame_minutes = 0, m.provider, '') AS provider,
       if(frame_minutes = 0, m.country_id, '') AS country_id,
       if(frame_minutes = 0, (toDateTime(0, 'UTC'), 0, 0, ''), last) AS last_fix,
       is_late, if(frame_minutes = 0, now('UTC'), toDateTime(0, 'UTC')) AS arrived_at
FROM (SELECT device_id, toStartOfMinute(ts) AS at,
             groupBitOr(bitShiftLeft(toUInt64(1), toSecond(ts))) AS seconds,
             max((ts, lat_e7, lon_e7,
                  concat(client_id, '\t', f.provider, '\t', f.country_id))) AS last,
             (last.1, last.2, last.3, geoToH3(last.2 / 1e7, last.3 / 1e7, 8)) AS last_place,
             max(speed) AS speed_max, min(odometer) AS odometer_min, max(odometer) AS odometer_max,
             max(f.ignition) AS ignition, max(f.provider) AS provider,
             max(f.country_id) AS country_id, toDate(ts) != toDate(received_at) AS is_late
      FROM in_flat_fixes AS f
      WHERE counted
      GROUP BY device_id, at, is_late) AS m
ARRAY JOIN [0, 1, 10, 60] AS frame_minutes;

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
   WHERE frame_minutes = 0
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
   WHERE frame_minutes = 0
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
    stays        Array(Tuple(
        start_ts DateTime('UTC'), end_ts DateTime('UTC'), latitude Float64, longitude Float64,
        silent_s UInt32, continues Bool)) CODEC(ZSTD(1)),
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

-- What a day came to from its fixes before `cut`, epoch seconds: the numbers of device_days as they
-- are summed up, and what the steps after the cut need to know of those before it (ADR 0077). So a
-- day to which fixes came in order is computed from them alone. A day that was over two days ago
-- has no row: it is computed whole.
CREATE TABLE IF NOT EXISTS device_day_states
(
    device_id    String                 CODEC(ZSTD(1)),
    day          Date                   CODEC(ZSTD(1)),
    cut          UInt32                 CODEC(ZSTD(1)),
    fixes        UInt32                 CODEC(ZSTD(1)),
    owner        Tuple(String, String, String, Int64) CODEC(ZSTD(1)),
    first        Tuple(Int64, Float64, Float64)       CODEC(ZSTD(1)),
    last         Tuple(Int64, Float64, Float64)       CODEC(ZSTD(1)),
    distance_cm  UInt64                 CODEC(ZSTD(1)),
    odometer_min Nullable(Float64)      CODEC(ZSTD(1)),
    odometer_max Nullable(Float64)      CODEC(ZSTD(1)),
    driving_s    Int64                  CODEC(ZSTD(1)),
    standing_s   Int64                  CODEC(ZSTD(1)),
    gaps         UInt64                 CODEC(ZSTD(1)),
    gap_s        Int64                  CODEC(ZSTD(1)),
    jumps        UInt64                 CODEC(ZSTD(1)),
    speed_max    Nullable(Float32)      CODEC(ZSTD(1)),
    pieces       Array(Tuple(Int64, Int64, Float64, Float64, Float64, Float64, UInt64, Int64,
        Float32, Bool, Bool)) CODEC(ZSTD(1)),
    rests        Array(Tuple(Int64, Int64, Int64, Int64, Int64, Int64, Int64)) CODEC(ZSTD(1)),
    cells        Array(Tuple(UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, Float32))
        CODEC(ZSTD(1)),
    before       Tuple(at Int64, latitude Float64, longitude Float64, arrived Int64,
        stay_half Int64, moved Int64, moved_today Int64, still_since Int64) CODEC(ZSTD(1)),
    computed_at  DateTime64(3, 'UTC')   CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY day
ORDER BY (device_id, day)
TTL day + INTERVAL 3 DAY DELETE
SETTINGS ttl_only_drop_parts = 1;
