-- Deferred answers to process_telemetry_events commands, tables by month of arrival.

-- One row per distinct answer to a command, also an answer without any event. An answer is its
-- content without the time of sending, so that a repeat is the same answer.
CREATE TABLE IF NOT EXISTS deferred_answers
(
    provider        LowCardinality(String) CODEC(ZSTD(1)),
    request_id      String                 CODEC(ZSTD(1)),
    answer_hash     UInt64                 CODEC(ZSTD(1)),
    route_distance  Float64                CODEC(ZSTD(1)),
    events          UInt16                 CODEC(ZSTD(1)),
    client_id       LowCardinality(String) CODEC(ZSTD(1)),
    call_country_id LowCardinality(String) CODEC(ZSTD(1)),
    transport_id    Int64                  CODEC(ZSTD(1)),
    post_ts         DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    received_at     DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition     UInt16                 CODEC(ZSTD(1)),
    k_rank          UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    INDEX ix_transport transport_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (provider, request_id, answer_hash)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- The events of those answers, by their index in the answer: two equal events in one answer are
-- two.
CREATE TABLE IF NOT EXISTS deferred_events
(
    provider    LowCardinality(String) CODEC(ZSTD(1)),
    request_id  String                 CODEC(ZSTD(1)),
    answer_hash UInt64                 CODEC(ZSTD(1)),
    item        UInt16                 CODEC(ZSTD(1)),
    name        LowCardinality(String) CODEC(ZSTD(1)),
    start_date  DateTime64(3, 'UTC')   CODEC(ZSTD(1)),
    end_date    DateTime64(3, 'UTC')   CODEC(ZSTD(1)),
    distance    Nullable(Float64)      CODEC(ZSTD(1)),
    latitude    Nullable(Float64)      CODEC(ZSTD(1)),
    longitude   Nullable(Float64)      CODEC(ZSTD(1)),
    metadata    Array(Tuple(name String, value String)) CODEC(ZSTD(1)),
    flag_bits   UInt8                  CODEC(ZSTD(1)),
    received_at DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_rank      UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (provider, request_id, answer_hash, item)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- A post as it is in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_deferred_events
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    id String,
    route_distance Float64,
    post_timestamp Float64,
    events Array(Tuple(
        name String, start_date String, end_date String, distance Nullable(Float64),
        latitude Nullable(Float64), longitude Nullable(Float64),
        metadata Array(Tuple(name String, value String))))
)
ENGINE = Null;

-- An answer with everything that both tables need computed once.
CREATE TABLE IF NOT EXISTS in_deferred_answers
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    request_id String,
    answer_hash UInt64,
    route_distance Float64,
    post_ts DateTime('UTC'),
    received_at DateTime64(3, 'UTC'),
    events Array(Tuple(
        name String, start_date DateTime64(3, 'UTC'), end_date DateTime64(3, 'UTC'),
        distance Nullable(Float64), latitude Nullable(Float64), longitude Nullable(Float64),
        metadata Array(Tuple(name String, value String))))
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_deferred_events_to_in_deferred_answers
TO in_deferred_answers AS
WITH
    text -> parseDateTime64BestEffortOrZero(
        replaceRegexpOne(replaceRegexpOne(replaceOne(upper(text), ',', '.'),
            '(T\\d\\d:\\d\\d)([Z+-])', '\\1:00\\2'),
            '(\\.\\d{3})\\d+', '\\1'), 3, 'UTC') AS instant,
    arrayMap(event -> (event.name, instant(event.start_date), instant(event.end_date),
        event.distance, event.latitude, event.longitude, event.metadata), events) AS dated
SELECT m, id AS request_id,
       cityHash64(toJSONString((m.t, route_distance, dated))) AS answer_hash, route_distance,
       toDateTime(least(post_timestamp, 4294967295), 'UTC') AS post_ts,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, dated AS events
FROM in_deferred_events;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_deferred_answers_to_deferred_answers
TO deferred_answers AS
SELECT m.p AS provider, request_id, answer_hash, route_distance,
       toUInt16(length(in_deferred_answers.events)) AS events, m.o AS client_id,
       m.c AS call_country_id, m.t AS transport_id, post_ts, received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_deferred_answers;

-- An event of an answer has no outlier table: the answer stays whole, and its flags say so.
CREATE MATERIALIZED VIEW IF NOT EXISTS in_deferred_answers_to_deferred_events
TO deferred_events AS
WITH (toUnixTimestamp64Milli(event.start_date) - m.r) / 1000 AS ahead_s
SELECT m.p AS provider, request_id, answer_hash, item, event.name AS name,
       event.start_date AS start_date, event.end_date AS end_date, event.distance AS distance,
       event.latitude AS latitude, event.longitude AS longitude, event.metadata AS metadata,
       (ahead_s > 300) + 2 * ifNull(event.latitude = 0 AND event.longitude = 0, false)
           + 4 * (ahead_s < -86400) + 8 * (event.end_date < event.start_date) AS flag_bits,
       received_at, bitNot(m.ko) AS k_rank
FROM in_deferred_answers
ARRAY JOIN events AS event, arrayEnumerate(events) AS item;

CREATE VIEW IF NOT EXISTS v_deferred_answers
(
    provider        LowCardinality(String) COMMENT 'Provider that was asked and answered.',
    request_id      String
        COMMENT 'The id of the process_telemetry_events command, in Base64.',
    transport_id    Int64                  COMMENT 'Transport of the command and of the answer.',
    route_distance  Float64                COMMENT 'Length of the route, kilometers.',
    events          UInt16                 COMMENT 'Number of events in the newest answer.',
    answers         UInt64
        COMMENT 'Number of distinct answers to the command; all are kept, the newest is shown.',
    client_id       String                 COMMENT 'Client that sent the newest answer.',
    call_country_id String                 COMMENT 'Country of the call.',
    post_ts         DateTime('UTC')        COMMENT 'When the answer was sent, UTC seconds.',
    received_at     DateTime64(3, 'UTC')
        COMMENT 'When the gateway received its first sending, UTC milliseconds.',
    k_partition     UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset        UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT provider, request_id, newest.1 AS transport_id, newest.2 AS route_distance,
          newest.3 AS events, answers, newest.4 AS client_id, newest.5 AS call_country_id,
          newest.6 AS post_ts, newest.7 AS received_at, newest.8 AS k_partition,
          newest.9 AS k_offset
   FROM (SELECT provider, request_id, count() AS answers,
                argMax((transport_id, route_distance, events, client_id, call_country_id, post_ts,
                        received_at, k_partition, bitNot(k_rank)),
                       (received_at, bitNot(k_rank))) AS newest
         FROM deferred_answers FINAL
         GROUP BY provider, request_id)
COMMENT
    'A row for each process_telemetry_events command that was answered, with the newest answer.';

CREATE VIEW IF NOT EXISTS v_deferred_events
(
    provider       LowCardinality(String) COMMENT 'Provider that was asked and answered.',
    request_id     String
        COMMENT 'The id of the process_telemetry_events command, in Base64.',
    item           UInt16                 COMMENT 'Place in the newest answer, from 1.',
    name           LowCardinality(String) COMMENT 'Kind of event, as in the interface.',
    start_date     DateTime64(3, 'UTC')   COMMENT 'Start of the event, UTC milliseconds.',
    end_date       DateTime64(3, 'UTC')   COMMENT 'End of the event, UTC milliseconds.',
    distance       Nullable(Float64)      COMMENT 'Meters.',
    latitude       Nullable(Float64)      COMMENT 'Degrees.',
    longitude      Nullable(Float64)      COMMENT 'Degrees.',
    metadata       Array(Tuple(name String, value String))
        COMMENT 'Description pairs as sent, in their order.',
    flags          Array(String)
        COMMENT 'future, zero_position, stale or reversed (ends before it starts).',
    transport_id   Int64                  COMMENT 'Transport of the command and of the answer.',
    route_distance Float64                COMMENT 'Length of the whole route, kilometers.',
    received_at    DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the answer first, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT provider, request_id, item, name, start_date, end_date, distance, latitude, longitude,
          metadata,
          arrayFilter((flag, bit) -> bitTest(flag_bits, bit),
              ['future', 'zero_position', 'stale', 'reversed'], [0, 1, 2, 3]) AS flags,
          newest.transport_id AS transport_id, newest.route_distance AS route_distance,
          deferred_events.received_at AS received_at
   FROM deferred_events FINAL
   INNER JOIN (SELECT provider, request_id,
                      argMax(answer_hash, (received_at, bitNot(k_rank))) AS answer_hash,
                      any(transport_id) AS transport_id,
                      argMax(route_distance, (received_at, bitNot(k_rank))) AS route_distance
               FROM deferred_answers FINAL
               GROUP BY provider, request_id) AS newest
   USING (provider, request_id, answer_hash)
COMMENT 'The events of the newest answer to each process_telemetry_events command.';
