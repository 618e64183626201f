-- Telemetry events of devices. There are few beside locations: one table, by month of arrival, so
-- that a wrong date opens no partition. Date-times come in any of the four forms of an offset and
-- become the instant.

-- One row per distinct event. Identity is device, start, kind and the hash of everything else in
-- the event, with instants instead of texts: 13:00-03:00 and 16:00Z are the same.
CREATE TABLE IF NOT EXISTS telemetry_events
(
    device_id         String                 CODEC(ZSTD(1)),
    start_date        DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    name              LowCardinality(String) CODEC(ZSTD(1)),
    content_hash      UInt64                 CODEC(ZSTD(1)),
    end_date          DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    distance          Nullable(Float64)      CODEC(ZSTD(1)),
    latitude          Nullable(Float64)      CODEC(ZSTD(1)),
    longitude         Nullable(Float64)      CODEC(ZSTD(1)),
    external_id       String                 CODEC(ZSTD(1)),
    last_updated_date Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    status            Nullable(Float64)      CODEC(ZSTD(1)),
    metadata          Array(Tuple(name String, value String)) CODEC(ZSTD(1)),
    flag_bits         UInt8                  CODEC(ZSTD(1)),
    outlier           LowCardinality(String) CODEC(ZSTD(1)),
    client_id         LowCardinality(String) CODEC(ZSTD(1)),
    provider          LowCardinality(String) CODEC(ZSTD(1)),
    call_country_id   LowCardinality(String) CODEC(ZSTD(1)),
    transport_id      Int64                  CODEC(ZSTD(1)),
    post_ts           DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    received_at       DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition       UInt16                 CODEC(ZSTD(1)),
    k_rank            UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    INDEX ix_transport transport_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (device_id, start_date, name, content_hash)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- A post as it is in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_telemetry_events
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    post_timestamp Float64,
    events Array(Tuple(
        name String, start_date String, end_date String, distance Nullable(Float64),
        latitude Nullable(Float64), longitude Nullable(Float64), external_id String,
        last_updated_date String, status Nullable(Float64),
        metadata Array(Tuple(name String, value String))))
)
ENGINE = Null;

-- flag_bits: 1 future (more than 300 s ahead of receipt), 2 zero_position, 4 stale (older than
-- 86,400 s), 8 reversed (ends before it starts). Outliers are over 400 days (34,560,000 s) old or
-- over a day ahead, with reasons as in location_outliers. The parser knows Z in upper case only,
-- wants seconds, and a point before a fraction of at most nine digits.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_telemetry_events_to_telemetry_events
TO telemetry_events AS
WITH
    text -> parseDateTime64BestEffortOrZero(
        replaceRegexpOne(replaceRegexpOne(replaceOne(upper(text), ',', '.'),
            '(T\\d\\d:\\d\\d)([Z+-])', '\\1:00\\2'),
            '(\\.\\d{3})\\d+', '\\1'), 3, 'UTC') AS instant,
    instant(event.start_date) AS starts,
    instant(event.end_date) AS ends,
    if(event.last_updated_date = '', NULL, instant(event.last_updated_date)) AS updated,
    (toUnixTimestamp64Milli(starts) - m.r) / 1000 AS ahead_s
SELECT m.d AS device_id, starts AS start_date, event.name AS name,
       cityHash64(toJSONString((ends, event.distance, event.latitude, event.longitude,
           event.external_id, updated, event.status, event.metadata))) AS content_hash,
       ends AS end_date, event.distance AS distance, event.latitude AS latitude,
       event.longitude AS longitude, event.external_id AS external_id,
       updated AS last_updated_date, event.status AS status, event.metadata AS metadata,
       (ahead_s > 300) + 2 * ifNull(event.latitude = 0 AND event.longitude = 0, false)
           + 4 * (ahead_s < -86400) + 8 * (ends < starts) AS flag_bits,
       multiIf(ahead_s BETWEEN -619401600 AND -619228800, 'gps_week_rollover',
               toUnixTimestamp64Milli(starts) NOT BETWEEN 946684800000 AND 4102444800000,
                   'clock_not_set',
               ahead_s > 86400, 'too_far_ahead', ahead_s < -34560000, 'too_old', '') AS outlier,
       m.o AS client_id, m.p AS provider, m.c AS call_country_id, m.t AS transport_id,
       toDateTime(least(post_timestamp, 4294967295), 'UTC') AS post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_telemetry_events
ARRAY JOIN events AS event;

CREATE VIEW IF NOT EXISTS v_telemetry_events
(
    device_id         String                 COMMENT 'RTT device id.',
    name              LowCardinality(String) COMMENT 'Kind of event, as in the interface.',
    start_date        DateTime64(3, 'UTC')   COMMENT 'Start of the event, UTC milliseconds.',
    end_date          DateTime64(3, 'UTC')   COMMENT 'End of the event, UTC milliseconds.',
    distance          Nullable(Float64)      COMMENT 'Meters.',
    latitude          Nullable(Float64)      COMMENT 'Degrees.',
    longitude         Nullable(Float64)      COMMENT 'Degrees.',
    external_id       String
        COMMENT 'Identification by the provider as text, empty when not sent.',
    last_updated_date Nullable(DateTime64(3, 'UTC'))
        COMMENT 'Last update of the event, UTC milliseconds.',
    status            Nullable(Float64)      COMMENT 'Status of the event as sent.',
    metadata          Array(Tuple(name String, value String))
        COMMENT 'Description pairs as sent, in their order.',
    flags             Array(String)
        COMMENT 'future, zero_position, stale or reversed (ends before it starts).',
    client_id         LowCardinality(String) COMMENT 'Client that sent the event.',
    provider          LowCardinality(String) COMMENT 'Provider of the path of the call.',
    call_country_id   LowCardinality(String) COMMENT 'Country of the call.',
    transport_id      Int64
        COMMENT 'Transport of the device at receipt, 0 when not known.',
    post_ts           DateTime('UTC')        COMMENT 'When the post was sent, UTC seconds.',
    received_at       DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the first sending, UTC milliseconds.',
    k_partition       UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset          UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT device_id, name, start_date, end_date, distance, latitude, longitude, external_id,
          last_updated_date, status, metadata,
          arrayFilter((flag, bit) -> bitTest(flag_bits, bit),
              ['future', 'zero_position', 'stale', 'reversed'], [0, 1, 2, 3]) AS flags,
          client_id, provider, call_country_id, transport_id, post_ts, received_at, k_partition,
          bitNot(k_rank) AS k_offset
   FROM telemetry_events FINAL
   WHERE outlier = ''
COMMENT 'A row for each distinct telemetry event of a device.';

CREATE VIEW IF NOT EXISTS v_telemetry_event_outliers
(
    device_id    String                 COMMENT 'RTT device id.',
    reason       LowCardinality(String)
        COMMENT
    'clock_not_set (not 2000 to 2100), gps_week_rollover (1,024 weeks), too_old, too_far_ahead.',
    name         LowCardinality(String) COMMENT 'Kind of event.',
    start_date   DateTime64(3, 'UTC')   COMMENT 'Start, the time out of range, UTC milliseconds.',
    end_date     DateTime64(3, 'UTC')   COMMENT 'End of the event, UTC milliseconds.',
    external_id  String                 COMMENT 'Identification by the provider, as text.',
    client_id    LowCardinality(String) COMMENT 'Client that sent the event.',
    provider     LowCardinality(String) COMMENT 'Provider of the path of the call.',
    transport_id Int64
        COMMENT 'Transport of the device at receipt, 0 when not known.',
    received_at  DateTime64(3, 'UTC')   COMMENT 'When the gateway received it, UTC milliseconds.',
    k_partition  UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset     UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT device_id, outlier AS reason, name, start_date, end_date, external_id, client_id,
          provider, transport_id, received_at, k_partition, bitNot(k_rank) AS k_offset
   FROM telemetry_events FINAL
   WHERE outlier != ''
COMMENT 'Telemetry events over 400 days old or over a day ahead at receipt.';
