-- What was read from the log and what was written of it. The views of 0012 derive from both how
-- each accepted item ended. A record is named by its record id (topic id, partition, offset).

-- One row per record that the table writer read, good or bad, of each topic that it stores.
-- Offsets of these topics have no holes, so a record that was never read shows as one. The ingest
-- id is kept as its 16 bytes: a UUIDv7 then sorts by its time, which a UUID column would not do; 0
-- means none. items is what the gateway counted. A replayed record (replayed_from) is the same
-- acceptance as the one that it names.
CREATE TABLE IF NOT EXISTS ingest_records
(
    ingest_id     FixedString(16)        CODEC(ZSTD(1)),
    topic         LowCardinality(String) CODEC(ZSTD(1)),
    topic_id      LowCardinality(String) CODEC(ZSTD(1)),
    k_partition   UInt16                 CODEC(ZSTD(1)),
    k_offset      UInt64                 CODEC(ZSTD(1)),
    kind          LowCardinality(String) CODEC(ZSTD(1)),
    key           LowCardinality(String) CODEC(ZSTD(1)),
    client_id     LowCardinality(String) CODEC(ZSTD(1)),
    provider      LowCardinality(String) CODEC(ZSTD(1)),
    items         UInt32                 CODEC(ZSTD(1)),
    received_at   DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    logged_at     DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    replayed_from LowCardinality(String) CODEC(ZSTD(1)),
    INDEX ix_received received_at TYPE minmax GRANULARITY 1,
    INDEX ix_logged logged_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
PRIMARY KEY ingest_id
ORDER BY (ingest_id, topic_id, k_partition, k_offset)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1,
         index_granularity = 1024,
         merge_selector_base = 20;

CREATE TABLE IF NOT EXISTS in_ingest_records
(
    ingest_id String,
    topic String,
    topic_id String,
    partition UInt16,
    offset UInt64,
    kind String,
    key String,
    client String,
    provider String,
    items UInt32,
    received_at_ms Int64,
    logged_at_ms Int64,
    replayed_from String
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_ingest_records_to_ingest_records TO ingest_records AS
SELECT UUIDStringToNum(toString(toUUIDOrZero(in_ingest_records.ingest_id))) AS ingest_id, topic,
       topic_id, partition AS k_partition, offset AS k_offset, kind, key, client AS client_id,
       provider, items, fromUnixTimestamp64Milli(received_at_ms, 'UTC') AS received_at,
       fromUnixTimestamp64Milli(logged_at_ms, 'UTC') AS logged_at, replayed_from
FROM in_ingest_records;

-- What was written of each record, counted from the very blocks that went into the tables, and
-- kept by record, so that a block that comes again changes nothing. The time of receipt replaces
-- the topic id, which not every table has. The subject is what its rows are about: the device, or
-- the transport of an answer. The column facts counts what differs within the record (0: not
-- counted), and ts_min and ts_max are the times of its rows. Views on anything but a landing table
-- run with the rights of their maker, because the writer may read landing tables only.
CREATE TABLE IF NOT EXISTS ingest_stored
(
    kind        LowCardinality(String) CODEC(ZSTD(1)),
    k_partition UInt16                 CODEC(ZSTD(1)),
    k_offset    UInt64                 CODEC(Delta, ZSTD(1)),
    received_at DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    destination LowCardinality(String) CODEC(ZSTD(1)),
    subject     LowCardinality(String) CODEC(ZSTD(1)),
    items       UInt32                 CODEC(ZSTD(1)),
    facts       UInt32                 CODEC(ZSTD(1)),
    ts_min      DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    ts_max      DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    INDEX ix_received received_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (kind, k_partition, k_offset, received_at, destination)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1,
         index_granularity = 1024,
         merge_selector_base = 20;

-- The columns in uniqExact are the sorting key of the table: rows that differ in none of them are
-- the same fact.
CREATE MATERIALIZED VIEW IF NOT EXISTS locations_to_ingest_stored TO ingest_stored
SQL SECURITY DEFINER
AS
SELECT 'locations' AS kind, k_partition, bitNot(k_rank) AS k_offset, received_at,
       'table' AS destination, any(device_id) AS subject, count() AS items,
       uniqExact((device_id, ts, lat_e7, lon_e7, country_id, altitude, accuracy, bearing,
           bearing_accuracy, speed, ignition, odometer, content_hash)) AS facts,
       toDateTime64(min(ts), 3, 'UTC') AS ts_min, toDateTime64(max(ts), 3, 'UTC') AS ts_max
FROM locations
GROUP BY k_partition, k_rank, received_at;

CREATE MATERIALIZED VIEW IF NOT EXISTS location_outliers_to_ingest_stored TO ingest_stored
SQL SECURITY DEFINER
AS
SELECT 'locations' AS kind, k_partition, bitNot(k_rank) AS k_offset, received_at,
       'outlier' AS destination, count() AS items
FROM location_outliers
WHERE location_outliers.kind = 'location'
GROUP BY k_partition, k_rank, received_at;

CREATE MATERIALIZED VIEW IF NOT EXISTS telemetry_events_to_ingest_stored TO ingest_stored
SQL SECURITY DEFINER
AS
SELECT 'telemetry_events' AS kind, k_partition, bitNot(k_rank) AS k_offset, received_at,
       if(outlier = '', 'table', 'outlier') AS destination, any(device_id) AS subject,
       count() AS items,
       uniqExact((device_id, start_date, name, content_hash)) AS facts,
       min(start_date) AS ts_min, max(start_date) AS ts_max
FROM telemetry_events
GROUP BY k_partition, k_rank, received_at, destination;

-- The answer is the unit: its events are its items, and one without events is an item itself.
CREATE MATERIALIZED VIEW IF NOT EXISTS deferred_answers_to_ingest_stored TO ingest_stored
SQL SECURITY DEFINER
AS
SELECT 'deferred_events' AS kind, k_partition, bitNot(k_rank) AS k_offset, received_at,
       'table' AS destination, toString(any(transport_id)) AS subject,
       sum(greatest(events, 1)) AS items,
       sum(greatest(events, 1)) AS facts
FROM deferred_answers
GROUP BY k_partition, k_rank, received_at;

-- Pairs of location and traceable as the gateway counts them, including a traceable named twice.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_delivery_locations_to_ingest_stored TO ingest_stored AS
WITH
    length(traceables) AS common,
    m.r / 1000 AS received_s,
    arrayMap(t -> t - received_s BETWEEN -34560000 AND 86400, locations.timestamp) AS in_time,
    arrayMap(own -> if(common = 0, length(own), common), locations.traceables) AS pairs,
    arrayFilter((t, ok) -> ok, locations.timestamp, in_time) AS times
SELECT 'delivery_locations' AS kind, m.kp AS k_partition, m.ko AS k_offset,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, destination,
       arraySum((n, ok) -> if(ok = (destination = 'table'), n, 0), pairs, in_time) AS items,
       toDateTime64(if(empty(times), 0, arrayMin(times)), 3, 'UTC') AS ts_min,
       toDateTime64(if(empty(times), 0, arrayMax(times)), 3, 'UTC') AS ts_max
FROM in_delivery_locations
ARRAY JOIN ['table', 'outlier'] AS destination
WHERE items > 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_notifications_to_ingest_stored TO ingest_stored AS
SELECT 'notifications' AS kind, m.kp AS k_partition, m.ko AS k_offset,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, 'table' AS destination, 1 AS items
FROM in_notifications;
