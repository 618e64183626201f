-- The tables of locations and telemetry of devices. Names are unqualified: the runner names the
-- database.

-- Canonical ids of countries, alpha-2 or the deployment's own, by the ids that senders use. The
-- migrations fill it (country-codes.ts); what it lacks is its own canonical id.
CREATE TABLE IF NOT EXISTS country_codes
(
    id   String,
    code String
)
ENGINE = Join(ANY, LEFT, id)
SETTINGS join_any_take_last_row = 1;

-- One row per distinct fix. The sorting key is the identity: device, time and all the content.
-- Stored columns are part of it directly. The column content_hash covers the rest (metadata, digits
-- beyond 1e-7 degrees, telemetry that only the table telemetry holds); 0 means that there is none.
-- The column k_rank is the complement of the offset, so that the first sending of a fact wins in
-- any order of merges. The index ix_received finds the fixes of a window of receipt.
-- Fixes of the day of their receipt have a partition for each day, which closes with it; others are
-- late, in one more (ADR 0050). A fix and its repetition may be in both: FINAL must merge across
-- partitions. The day is first in the key: it is one range of the late partition, and days do not
-- mix in FINAL. The primary key ends before ts, else a condition on ts would not use the day. The
-- rows of a day end together, as whole parts; once a week the late partition is rewritten for it.
-- The codecs were chosen by measuring recorded drives (`npm run bench -- --rows disk`). Merges
-- move columns in runs at any size, and take up to twenty parts at once (ADR 0031). A partition
-- that got nothing for a day becomes one part, which the late one seldom does (ADR 0068).
-- Statistics of columns are off, as each merge would build them.
CREATE TABLE IF NOT EXISTS locations
(
    device_id        String                 CODEC(ZSTD(3)),
    ts               DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    lat_e7           Int32                  CODEC(Delta, ZSTD(3)),
    lon_e7           Int32                  CODEC(Delta, ZSTD(3)),
    country_id       LowCardinality(String) CODEC(ZSTD(1)),
    altitude         Nullable(Float32)      CODEC(Delta, ZSTD(1)),
    accuracy         Nullable(Float32)      CODEC(ZSTD(1)),
    bearing          Nullable(Float32)      CODEC(ZSTD(1)),
    bearing_accuracy Nullable(Float32)      CODEC(ZSTD(1)),
    speed            Nullable(Float32)      CODEC(ZSTD(3)),
    ignition         Nullable(Bool)         CODEC(ZSTD(1)),
    odometer         Nullable(Float64)      CODEC(Delta, ZSTD(1)),
    content_hash     UInt32                 CODEC(ZSTD(1)),
    metadata         Map(LowCardinality(String), String) CODEC(ZSTD(3)),
    flag_bits        UInt8                  CODEC(ZSTD(1)),
    client_id        LowCardinality(String) CODEC(ZSTD(1)),
    provider         LowCardinality(String) CODEC(ZSTD(1)),
    call_country_id  LowCardinality(String) CODEC(ZSTD(1)),
    transport_id     Int64                  CODEC(Delta, ZSTD(1)),
    post_ts          DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    received_at      DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition      UInt16                 CODEC(ZSTD(1)),
    k_rank           UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    is_late          Bool MATERIALIZED toDate(ts) != toDate(received_at) CODEC(ZSTD(1)),
    latitude         Float64 ALIAS lat_e7 / 1e7,
    longitude        Float64 ALIAS lon_e7 / 1e7,
    k_offset         UInt64  ALIAS bitNot(k_rank),
    INDEX ix_transport transport_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX ix_received received_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY if(is_late, 0, toYYYYMMDD(ts))
PRIMARY KEY (toDate(ts), device_id)
ORDER BY (toDate(ts), device_id, ts, lat_e7, lon_e7, country_id, altitude, accuracy, bearing,
          bearing_accuracy, speed, ignition, odometer, content_hash)
TTL toDate(ts) + 1 + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         allow_nullable_key = 1,
         vertical_merge_algorithm_min_columns_to_activate = 1,
         vertical_merge_algorithm_min_rows_to_activate = 1,
         merge_selector_base = 20, min_age_to_force_merge_seconds = 86400,
         min_age_to_force_merge_on_partition_only = 1, auto_statistics_types = '';

-- One row per distinct telemetry, under its own time. Identity as above; others_hash is 0 when
-- `others` has no pairs.
CREATE TABLE IF NOT EXISTS telemetry
(
    device_id                 String                 CODEC(ZSTD(3)),
    ts                        DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    lat_e7                    Int32                  CODEC(Delta, ZSTD(3)),
    lon_e7                    Int32                  CODEC(Delta, ZSTD(3)),
    country_id                LowCardinality(String) CODEC(ZSTD(1)),
    ignition                  Nullable(Bool)         CODEC(ZSTD(1)),
    odometer                  Nullable(Float64)      CODEC(Delta, ZSTD(1)),
    speed                     Nullable(Float32)      CODEC(ZSTD(3)),
    speed_accuracy            Nullable(Float32)      CODEC(ZSTD(1)),
    engine_rpm                Nullable(Float32)      CODEC(ZSTD(1)),
    engine_temperature        Nullable(Float32)      CODEC(ZSTD(1)),
    air_temperature           Nullable(Float32)      CODEC(ZSTD(1)),
    acceleration_longitudinal Nullable(Float32)      CODEC(ZSTD(1)),
    acceleration_lateral      Nullable(Float32)      CODEC(ZSTD(1)),
    direction                 LowCardinality(String) CODEC(ZSTD(1)),
    fuel_quantity             Nullable(Float32)      CODEC(Delta, ZSTD(1)),
    fuel_level                Nullable(Float32)      CODEC(Delta, ZSTD(1)),
    fuel_consumption          Nullable(Float32)      CODEC(ZSTD(1)),
    battery_level             Nullable(Float32)      CODEC(ZSTD(1)),
    battery_consumption       Nullable(Float32)      CODEC(ZSTD(1)),
    battery_health            Nullable(Float32)      CODEC(ZSTD(1)),
    battery_temperature       Nullable(Float32)      CODEC(ZSTD(1)),
    battery_remaining         Nullable(Float32)      CODEC(ZSTD(1)),
    others_hash               UInt32                 CODEC(ZSTD(1)),
    others                    Map(LowCardinality(String), String) CODEC(ZSTD(3)),
    flag_bits                 UInt8                  CODEC(ZSTD(1)),
    client_id                 LowCardinality(String) CODEC(ZSTD(1)),
    provider                  LowCardinality(String) CODEC(ZSTD(1)),
    call_country_id           LowCardinality(String) CODEC(ZSTD(1)),
    transport_id              Int64                  CODEC(Delta, ZSTD(1)),
    post_ts                   DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    received_at               DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition               UInt16                 CODEC(ZSTD(1)),
    k_rank                    UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    is_late                   Bool MATERIALIZED toDate(ts) != toDate(received_at) CODEC(ZSTD(1)),
    latitude                  Float64 ALIAS lat_e7 / 1e7,
    longitude                 Float64 ALIAS lon_e7 / 1e7,
    k_offset                  UInt64  ALIAS bitNot(k_rank),
    INDEX ix_transport transport_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY if(is_late, 0, toYYYYMMDD(ts))
PRIMARY KEY (toDate(ts), device_id)
ORDER BY (toDate(ts), device_id, ts, lat_e7, lon_e7, country_id, ignition, odometer, speed,
          speed_accuracy, engine_rpm, engine_temperature, air_temperature,
          acceleration_longitudinal, acceleration_lateral, direction, fuel_quantity, fuel_level,
          fuel_consumption, battery_level, battery_consumption, battery_health,
          battery_temperature, battery_remaining, others_hash)
TTL toDate(ts) + 1 + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         allow_nullable_key = 1,
         vertical_merge_algorithm_min_columns_to_activate = 1,
         vertical_merge_algorithm_min_rows_to_activate = 1,
         merge_selector_base = 20, min_age_to_force_merge_seconds = 86400,
         min_age_to_force_merge_on_partition_only = 1, auto_statistics_types = '';

-- Items more than 400 days old or more than a day ahead at receipt, by month of arrival, so that a
-- wrong clock never opens a partition of the tables above.
CREATE TABLE IF NOT EXISTS location_outliers
(
    device_id       String                 CODEC(ZSTD(1)),
    kind            LowCardinality(String) CODEC(ZSTD(1)),
    reason          LowCardinality(String) CODEC(ZSTD(1)),
    ts              DateTime64(3, 'UTC')   CODEC(ZSTD(1)),
    lat_e7          Int32                  CODEC(ZSTD(1)),
    lon_e7          Int32                  CODEC(ZSTD(1)),
    content_hash    UInt64                 CODEC(ZSTD(1)),
    content         String                 CODEC(ZSTD(3)),
    client_id       LowCardinality(String) CODEC(ZSTD(1)),
    provider        LowCardinality(String) CODEC(ZSTD(1)),
    call_country_id LowCardinality(String) CODEC(ZSTD(1)),
    transport_id    Int64                  CODEC(ZSTD(1)),
    post_ts         DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    received_at     DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition     UInt16                 CODEC(ZSTD(1)),
    k_rank          UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (device_id, ts, kind, content_hash)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- The newest trustworthy fix of each device. The greatest (time, offset, item) wins, so that
-- repeats and late fixes change nothing.
CREATE TABLE IF NOT EXISTS device_last
(
    device_id String,
    ts        SimpleAggregateFunction(max, DateTime('UTC')),
    place     AggregateFunction(argMax,
                  Tuple(DateTime('UTC'), Int32, Int32, String, Nullable(Float32), Nullable(Float32),
                        Nullable(Bool), String, String, Int64, DateTime64(3, 'UTC')),
                  Tuple(DateTime('UTC'), UInt64, UInt16))
)
ENGINE = AggregatingMergeTree
ORDER BY device_id
TTL ts + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000,
         merge_selector_base = 20;
