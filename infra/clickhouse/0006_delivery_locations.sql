-- Locations of deliveries: each location of a driver, once for every traceable that the driver
-- carries.

-- One row per distinct fix of one traceable. Identity and partitions are as in locations; client,
-- provider and driver are part of the identity, because ids of traceables and drivers have a
-- meaning only there. ix_rank finds the rows of one record.
CREATE TABLE IF NOT EXISTS delivery_locations
(
    traceable_type   LowCardinality(String) CODEC(ZSTD(1)),
    traceable_id     String                 CODEC(ZSTD(1)),
    ts               DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    client_id        LowCardinality(String) CODEC(ZSTD(1)),
    provider         LowCardinality(String) CODEC(ZSTD(1)),
    external_type    LowCardinality(String) CODEC(ZSTD(1)),
    external_id      String                 CODEC(ZSTD(1)),
    lat_e7           Int32                  CODEC(DoubleDelta, ZSTD(1)),
    lon_e7           Int32                  CODEC(DoubleDelta, ZSTD(1)),
    altitude         Nullable(Float32)      CODEC(Delta, ZSTD(1)),
    accuracy         Nullable(Float32)      CODEC(ZSTD(1)),
    bearing          Nullable(Float32)      CODEC(ZSTD(1)),
    bearing_accuracy Nullable(Float32)      CODEC(ZSTD(1)),
    content_hash     UInt32                 CODEC(ZSTD(1)),
    metadata         Array(Tuple(name String, value String)) CODEC(ZSTD(1)),
    flag_bits        UInt8                  CODEC(ZSTD(1)),
    call_country_id  LowCardinality(String) CODEC(ZSTD(1)),
    post_ts          DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    received_at      DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition      UInt16                 CODEC(ZSTD(1)),
    k_rank           UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    is_late          Bool MATERIALIZED toDate(ts) != toDate(received_at) CODEC(ZSTD(1)),
    INDEX ix_driver external_id TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX ix_rank k_rank TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY if(is_late, 0, toYYYYMMDD(ts))
PRIMARY KEY (toDate(ts), traceable_type, traceable_id)
ORDER BY (toDate(ts), traceable_type, traceable_id, ts, client_id, provider, external_type,
          external_id, lat_e7, lon_e7, altitude, accuracy, bearing, bearing_accuracy, content_hash)
TTL toDate(ts) + 1 + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         allow_nullable_key = 1, min_age_to_force_merge_seconds = 86400,
         min_age_to_force_merge_on_partition_only = 1;

-- Fixes more than 400 days old or more than a day ahead at receipt. Reasons and times as in
-- location_outliers.
CREATE TABLE IF NOT EXISTS delivery_outliers
(
    traceable_type  LowCardinality(String) CODEC(ZSTD(1)),
    traceable_id    String                 CODEC(ZSTD(1)),
    reason          LowCardinality(String) CODEC(ZSTD(1)),
    ts              DateTime64(3, 'UTC')   CODEC(ZSTD(1)),
    content_hash    UInt64                 CODEC(ZSTD(1)),
    content         String                 CODEC(ZSTD(3)),
    client_id       LowCardinality(String) CODEC(ZSTD(1)),
    provider        LowCardinality(String) CODEC(ZSTD(1)),
    external_type   LowCardinality(String) CODEC(ZSTD(1)),
    external_id     String                 CODEC(ZSTD(1)),
    call_country_id LowCardinality(String) CODEC(ZSTD(1)),
    post_ts         DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    received_at     DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition     UInt16                 CODEC(ZSTD(1)),
    k_rank          UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (traceable_type, traceable_id, ts, client_id, provider, external_type, external_id,
          content_hash)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- The newest trustworthy fix of each traceable, for each client that reports it.
CREATE TABLE IF NOT EXISTS traceable_last
(
    client_id      String,
    traceable_type String,
    traceable_id   String,
    ts             SimpleAggregateFunction(max, DateTime('UTC')),
    place          AggregateFunction(argMax,
                       Tuple(DateTime('UTC'), Int32, Int32, Nullable(Float32), String, String,
                             String, String, DateTime64(3, 'UTC')),
                       Tuple(DateTime('UTC'), UInt64, UInt16))
)
ENGINE = AggregatingMergeTree
ORDER BY (client_id, traceable_type, traceable_id)
TTL ts + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000;

-- A post as it is in the log, with m in front. device and traceables are at the top level or in
-- every location; their ids are never empty, so that empty means that the other one holds them.
CREATE TABLE IF NOT EXISTS in_delivery_locations
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    post_timestamp Float64,
    device Tuple(external_id String, external_type String),
    traceables Array(Tuple(id String, type String)),
    locations Array(Tuple(
        timestamp Float64, latitude Float64, longitude Float64, altitude Nullable(Float64),
        accuracy Nullable(Float64), bearing Nullable(Float64), bearing_accuracy Nullable(Float64),
        metadata Array(Tuple(name String, value String)),
        device Tuple(external_id String, external_type String),
        traceables Array(Tuple(id String, type String))))
)
ENGINE = Null;

-- One fix with everything that all tables and traceables need computed once.
CREATE TABLE IF NOT EXISTS in_delivery_fixes
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    post_ts DateTime('UTC'),
    item UInt16,
    ts DateTime('UTC'),
    ahead_s Float64,
    lat_e7 Int32,
    lon_e7 Int32,
    place_flags UInt8,
    driver Tuple(external_id String, external_type String),
    carried Array(Tuple(id String, type String)),
    fix Tuple(
        timestamp Float64, latitude Float64, longitude Float64, altitude Nullable(Float64),
        accuracy Nullable(Float64), bearing Nullable(Float64), bearing_accuracy Nullable(Float64),
        metadata Array(Tuple(name String, value String)))
)
ENGINE = Null;

-- Flags and jumps as in in_locations_to_in_flat_fixes; only fixes of one driver are compared.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_delivery_locations_to_in_delivery_fixes
TO in_delivery_fixes AS
WITH
    locations.timestamp AS t, locations.latitude AS la, locations.longitude AS lo,
    arrayEnumerate(t) AS i,
    arrayMap(own -> if(device.external_id = '', own, device), locations.device) AS drivers,
    arraySort((x, d, y) -> (d, y, x), i, drivers, t) AS walk,
    arraySort((x, y, z) -> (x, y, z), drivers, t, i) AS wd,
    arraySort((x, d, y, z) -> (d, y, z), t, drivers, t, i) AS wt,
    arraySort((x, d, y, z) -> (d, y, z), la, drivers, t, i) AS wla,
    arraySort((x, d, y, z) -> (d, y, z), lo, drivers, t, i) AS wlo,
    arrayMap((at, lat, lon, who, at0, lat0, lon0, who0) ->
            who = who0 AND (lat != 0 OR lon != 0) AND (lat0 != 0 OR lon0 != 0)
            AND greatCircleDistance(lon0, lat0, lon, lat) > 97.2 * greatest(at - at0, 1),
        wt, wla, wlo, wd,
        arrayPushFront(arrayPopBack(wt), wt[1]), arrayPushFront(arrayPopBack(wla), wla[1]),
        arrayPushFront(arrayPopBack(wlo), wlo[1]), arrayPushFront(arrayPopBack(wd), wd[1]))
        AS walk_jumps,
    arraySort((x, y) -> y, walk_jumps, walk) AS jumps
SELECT m,
       toDateTime(least(post_timestamp, 4294967295), 'UTC') AS post_ts,
       item,
       toDateTime(least(location.timestamp, 4294967295), 'UTC') AS ts,
       location.timestamp - m.r / 1000 AS ahead_s,
       toInt32(round(location.latitude * 1e7)) AS lat_e7,
       toInt32(round(location.longitude * 1e7)) AS lon_e7,
       2 * (location.latitude = 0 AND location.longitude = 0) + 8 * jump AS place_flags,
       driver,
       arrayDistinct(if(empty(traceables), location.traceables, traceables)) AS carried,
       (location.timestamp, location.latitude, location.longitude, location.altitude,
        location.accuracy, location.bearing, location.bearing_accuracy, location.metadata) AS fix
FROM in_delivery_locations
ARRAY JOIN locations AS location, drivers AS driver, jumps AS jump, i AS item;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_delivery_fixes_to_delivery_locations
TO delivery_locations AS
SELECT traceable.type AS traceable_type, traceable.id AS traceable_id, ts, m.o AS client_id,
       m.p AS provider, driver.external_type AS external_type, driver.external_id AS external_id,
       lat_e7, lon_e7, fix.altitude AS altitude, fix.accuracy AS accuracy, fix.bearing AS bearing,
       fix.bearing_accuracy AS bearing_accuracy,
       toUInt32(bitAnd(4294967295, bitXor(
           if(empty(fix.metadata), 0, cityHash64(fix.metadata)),
           if(fix.latitude = lat_e7 / 1e7 AND fix.longitude = lon_e7 / 1e7, 0,
              cityHash64(fix.latitude, fix.longitude))))) AS content_hash,
       fix.metadata AS metadata,
       place_flags + (ahead_s > 300) + 4 * (ahead_s < -86400) AS flag_bits,
       m.c AS call_country_id, post_ts, fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at,
       m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_delivery_fixes
ARRAY JOIN carried AS traceable
WHERE ahead_s BETWEEN -34560000 AND 86400;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_delivery_fixes_to_delivery_outliers
TO delivery_outliers AS
SELECT traceable.type AS traceable_type, traceable.id AS traceable_id,
       multiIf(ahead_s BETWEEN -619401600 AND -619228800, 'gps_week_rollover',
               fix.timestamp NOT BETWEEN 946684800 AND 4102444800, 'clock_not_set',
               ahead_s > 0, 'too_far_ahead', 'too_old') AS reason,
       fromUnixTimestamp64Milli(toInt64(least(fix.timestamp, 10413791999.)) * 1000, 'UTC') AS ts,
       cityHash64(content) AS content_hash, toJSONString(fix) AS content, m.o AS client_id,
       m.p AS provider, driver.external_type AS external_type, driver.external_id AS external_id,
       m.c AS call_country_id, post_ts, fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at,
       m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_delivery_fixes
ARRAY JOIN carried AS traceable
WHERE ahead_s NOT BETWEEN -34560000 AND 86400;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_delivery_fixes_to_traceable_last TO traceable_last AS
SELECT m.o AS client_id, traceable.type AS traceable_type, traceable.id AS traceable_id,
       max(in_delivery_fixes.ts) AS ts,
       argMaxState((in_delivery_fixes.ts, lat_e7, lon_e7,
                    toFloat32(fix.bearing)::Nullable(Float32), m.p, driver.external_type,
                    driver.external_id, m.c, fromUnixTimestamp64Milli(m.r, 'UTC')),
                   (in_delivery_fixes.ts, m.ko, item)) AS place
FROM in_delivery_fixes
ARRAY JOIN carried AS traceable
WHERE ahead_s BETWEEN -34560000 AND 300 AND bitAnd(place_flags, 2) = 0
GROUP BY client_id, traceable_type, traceable_id;

CREATE VIEW IF NOT EXISTS v_delivery_locations
(
    traceable_type   LowCardinality(String) COMMENT 'Type of the traceable, as sent.',
    traceable_id     String                 COMMENT 'Traceable id, as sent.',
    ts               DateTime('UTC')
        COMMENT 'When the fix was obtained, by the clock of the driver''s device, UTC seconds.',
    latitude         Float64                COMMENT 'Degrees, resolution 1e-7.',
    longitude        Float64                COMMENT 'Degrees, resolution 1e-7.',
    altitude         Nullable(Float32)      COMMENT 'Meters above sea level.',
    accuracy         Nullable(Float32)      COMMENT 'Radial horizontal accuracy, meters.',
    bearing          Nullable(Float32)      COMMENT 'Direction of travel, degrees.',
    bearing_accuracy Nullable(Float32)      COMMENT 'Accuracy of the bearing, degrees.',
    metadata         Array(Tuple(name String, value String))
        COMMENT 'Free pairs as sent, in their order.',
    flags            Array(String)
        COMMENT 'future, zero_position, stale or jump; empty when nothing is odd.',
    external_type    LowCardinality(String) COMMENT 'Type of the driver''s external entity.',
    external_id      String                 COMMENT 'Id of the driver''s external entity.',
    client_id        LowCardinality(String) COMMENT 'Client that sent the fix.',
    provider         LowCardinality(String) COMMENT 'Provider of the path of the call.',
    call_country_id  LowCardinality(String) COMMENT 'Country of the call.',
    post_ts          DateTime('UTC')
        COMMENT 'When the post was sent, by the device''s clock, UTC seconds.',
    received_at      DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the first sending, UTC milliseconds.',
    clock_skew_ms    Int64
        COMMENT 'received_at minus post_ts, milliseconds: clock error plus the way.',
    k_partition      UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset         UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT traceable_type, traceable_id, ts, lat_e7 / 1e7 AS latitude, lon_e7 / 1e7 AS longitude,
          altitude, accuracy, bearing, bearing_accuracy, metadata,
          arrayFilter((flag, bit) -> bitTest(flag_bits, bit),
              ['future', 'zero_position', 'stale', 'jump'], [0, 1, 2, 3]) AS flags,
          external_type, external_id, client_id, provider, call_country_id, post_ts, received_at,
          toUnixTimestamp64Milli(received_at) - toInt64(post_ts) * 1000 AS clock_skew_ms,
          k_partition, bitNot(k_rank) AS k_offset
   FROM delivery_locations FINAL
   SETTINGS do_not_merge_across_partitions_select_final = 0,
            defer_partition_pruning_after_final = 0
COMMENT 'A row for each distinct fix of each traceable that a driver carried.';

CREATE VIEW IF NOT EXISTS v_delivery_outliers
(
    traceable_type  LowCardinality(String) COMMENT 'Type of the traceable, as sent.',
    traceable_id    String                 COMMENT 'Traceable id, as sent.',
    reason          LowCardinality(String)
        COMMENT
    'clock_not_set (not 2000 to 2100), gps_week_rollover (1,024 weeks), too_old, too_far_ahead.',
    ts              DateTime64(3, 'UTC')
        COMMENT 'The time out of range, UTC seconds; after 2299 its end, exact in content.',
    content         String
        COMMENT 'The whole fix as JSON; fields not sent are null or empty.',
    external_type   LowCardinality(String) COMMENT 'Type of the driver''s external entity.',
    external_id     String                 COMMENT 'Id of the driver''s external entity.',
    client_id       LowCardinality(String) COMMENT 'Client that sent the fix.',
    provider        LowCardinality(String) COMMENT 'Provider of the path of the call.',
    call_country_id LowCardinality(String) COMMENT 'Country of the call.',
    post_ts         DateTime('UTC')        COMMENT 'When the post was sent, UTC seconds.',
    received_at     DateTime64(3, 'UTC')
        COMMENT 'When the gateway received it, UTC milliseconds.',
    k_partition     UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset        UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT traceable_type, traceable_id, reason, ts, content, external_type, external_id, client_id,
          provider, call_country_id, post_ts, received_at, k_partition,
          bitNot(k_rank) AS k_offset
   FROM delivery_outliers FINAL
COMMENT 'Fixes of traceables over 400 days old or over a day ahead at receipt.';

CREATE VIEW IF NOT EXISTS v_traceable_last
(
    client_id       String               COMMENT 'Client that reports the traceable.',
    traceable_type  String               COMMENT 'Type of the traceable, as sent.',
    traceable_id    String               COMMENT 'Traceable id, as sent.',
    ts              DateTime('UTC')
        COMMENT 'Newest time of a fix that is neither future nor at 0,0, UTC seconds.',
    latitude        Float64              COMMENT 'Degrees.',
    longitude       Float64              COMMENT 'Degrees.',
    bearing         Nullable(Float32)    COMMENT 'Degrees.',
    provider        String               COMMENT 'Provider of the path of the call.',
    external_type   String               COMMENT 'Type of the driver''s external entity.',
    external_id     String               COMMENT 'Id of the driver''s external entity.',
    call_country_id String               COMMENT 'Country of the call.',
    received_at     DateTime64(3, 'UTC') COMMENT 'When the gateway received it, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT client_id, traceable_type, traceable_id, last.1 AS ts, last.2 / 1e7 AS latitude,
          last.3 / 1e7 AS longitude, last.4 AS bearing, last.5 AS provider,
          last.6 AS external_type, last.7 AS external_id, last.8 AS call_country_id,
          last.9 AS received_at
   FROM (SELECT client_id, traceable_type, traceable_id, argMaxMerge(place) AS last
         FROM traceable_last GROUP BY client_id, traceable_type, traceable_id)
COMMENT 'The newest trustworthy place of each traceable, for each client that reports it.';
