-- Commands to providers and their results. A body names plates and coordinates of vehicles: the
-- landing table takes only the kind of command, the ids, and of planned routes the facilities with
-- their places and times (0029); nothing keeps the rest.

-- One row per command; k_rank lets the first one win.
CREATE TABLE IF NOT EXISTS provider_commands
(
    provider     LowCardinality(String) CODEC(ZSTD(1)),
    command_id   String                 CODEC(ZSTD(1)),
    command      LowCardinality(String) CODEC(ZSTD(1)),
    command_key  String                 CODEC(ZSTD(1)),
    transport_id Int64                  CODEC(ZSTD(1)),
    request_id   String                 CODEC(ZSTD(1)),
    routes       UInt16                 CODEC(ZSTD(1)),
    corrects     String                 CODEC(ZSTD(1)),
    client_id    LowCardinality(String) CODEC(ZSTD(1)),
    country_id   LowCardinality(String) CODEC(ZSTD(1)),
    at           DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    received_at  DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition  UInt16                 CODEC(ZSTD(1)),
    k_rank       UInt64                 CODEC(DoubleDelta, ZSTD(1)),
    INDEX ix_transport transport_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(received_at)
ORDER BY (provider, command_id)
TTL toDateTime(received_at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- One row per result. An attempt has one result under one fence (ADR 0012); that a stop made it
-- pointless is a result of the same attempt, so the outcome is part of the identity.
CREATE TABLE IF NOT EXISTS provider_command_results
(
    provider        LowCardinality(String) CODEC(ZSTD(1)),
    command_id      String                 CODEC(ZSTD(1)),
    fence           UInt64                 CODEC(ZSTD(1)),
    attempt         UInt64                 CODEC(ZSTD(1)),
    outcome         LowCardinality(String) CODEC(ZSTD(1)),
    http_status     Nullable(UInt16)       CODEC(ZSTD(1)),
    reason          LowCardinality(String) CODEC(ZSTD(1)),
    next_attempt_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    cancelled_by    String                 CODEC(ZSTD(1)),
    at              DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition     UInt16                 CODEC(ZSTD(1)),
    k_rank          UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(at)
ORDER BY (provider, command_id, fence, attempt, outcome)
TTL toDateTime(at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- Facts as they are in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_commands
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    command_id String,
    provider String,
    command_key String,
    client_id String,
    country_id String,
    corrects String,
    body Tuple(command String, id String, transport Tuple(id Int64),
               planned_routes Array(Tuple(
                   route_id Int64, rostering_id Int64, country_id String, carrier Tuple(id Int64),
                   stops Array(Tuple(
                       order Float64, estimated_time_arrival String,
                       estimated_time_departure String,
                       facility Tuple(id String, address Tuple(
                           geolocation Tuple(latitude Float64, longitude Float64)))))))),
    at_ms Int64
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS in_command_results
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    command_id String,
    provider String,
    fence UInt64,
    attempt UInt64,
    outcome String,
    status Nullable(UInt16),
    reason String,
    next_attempt_at_ms Nullable(Int64),
    cancelled_by String,
    at_ms Int64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_commands_to_provider_commands TO provider_commands AS
SELECT provider, command_id, body.command AS command, command_key,
       body.transport.id AS transport_id, body.id AS request_id,
       toUInt16(length(body.planned_routes)) AS routes, corrects, client_id, country_id,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS at,
       fromUnixTimestamp64Milli(m.r, 'UTC') AS received_at, m.kp AS k_partition,
       bitNot(m.ko) AS k_rank
FROM in_commands;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_command_results_to_provider_command_results
TO provider_command_results AS
SELECT provider, command_id, fence, attempt, outcome, status AS http_status, reason,
       fromUnixTimestamp64Milli(next_attempt_at_ms, 'UTC') AS next_attempt_at, cancelled_by,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS at, m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_command_results;

CREATE VIEW IF NOT EXISTS v_command_results
(
    provider        LowCardinality(String) COMMENT 'Provider that got the command.',
    command_id      String                 COMMENT 'The command, as in v_commands.',
    attempt         UInt64                 COMMENT 'Attempts so far, this one included.',
    fence           UInt64
        COMMENT 'Number of the lease of whoever sent it; of two results the higher counts.',
    outcome         LowCardinality(String)
        COMMENT 'retry, or the end: done (200), refused (400), ended (403), cancelled, expired.',
    status          Nullable(UInt16)       COMMENT 'HTTP status; NULL when none came.',
    reason          LowCardinality(String)
        COMMENT 'answered, timeout, network, redirect, throttled, token_…, stopped, expired.',
    next_attempt_at Nullable(DateTime64(3, 'UTC'))
        COMMENT 'Not sent again before, UTC milliseconds; NULL after an end.',
    cancelled_by    String
        COMMENT 'The stop_tracking command that made it pointless, or empty.',
    at              DateTime64(3, 'UTC')
        COMMENT 'When the attempt ended, by the sender''s clock, UTC milliseconds.',
    k_partition     UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset        UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT provider, command_id, attempt, fence, outcome, http_status AS status, reason,
          next_attempt_at, cancelled_by, at, k_partition, bitNot(k_rank) AS k_offset
   FROM provider_command_results FINAL
COMMENT 'A row for each attempt to bring a command to its provider, and for each cancellation.';

-- newest is text that sorts in that order, followed by the result, divided by tabs. Plain columns,
-- because the greatest of tuples takes microseconds for each row.
CREATE TABLE IF NOT EXISTS provider_command_states
(
    provider     LowCardinality(String) CODEC(ZSTD(1)),
    command_id   String                 CODEC(ZSTD(1)),
    k_rank       SimpleAggregateFunction(max, UInt64)                 CODEC(ZSTD(1)),
    k_partition  SimpleAggregateFunction(max, UInt16)                 CODEC(ZSTD(1)),
    command      SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1)),
    command_key  SimpleAggregateFunction(max, String)                 CODEC(ZSTD(1)),
    transport_id SimpleAggregateFunction(max, Nullable(Int64))        CODEC(ZSTD(1)),
    request_id   SimpleAggregateFunction(max, String)                 CODEC(ZSTD(1)),
    routes       SimpleAggregateFunction(max, UInt16)                 CODEC(ZSTD(1)),
    corrects     SimpleAggregateFunction(max, String)                 CODEC(ZSTD(1)),
    client_id    SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1)),
    country_id   SimpleAggregateFunction(max, LowCardinality(String)) CODEC(ZSTD(1)),
    issued_at_ms SimpleAggregateFunction(max, Int64)                  CODEC(ZSTD(1)),
    newest       SimpleAggregateFunction(max, String)                 CODEC(ZSTD(1)),
    told_at      SimpleAggregateFunction(max, DateTime('UTC'))        CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (provider, command_id)
TTL told_at + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_commands_to_provider_command_states
TO provider_command_states AS
SELECT provider, command_id, bitNot(m.ko) AS k_rank, m.kp AS k_partition, body.command AS command,
       command_key, toNullable(body.transport.id) AS transport_id, body.id AS request_id,
       toUInt16(length(body.planned_routes)) AS routes, corrects, client_id, country_id,
       at_ms AS issued_at_ms, toDateTime(fromUnixTimestamp64Milli(m.r, 'UTC')) AS told_at
FROM in_commands;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_command_results_to_provider_command_states
TO provider_command_states AS
WITH arrayStringConcat(arrayMap(n -> leftPad(hex(n), 16, '0'), [fence, attempt, bitNot(m.ko)]))
         AS place
SELECT provider, command_id,
       arrayStringConcat([if(outcome = 'retry', '0', '1') || place, outcome, toString(attempt),
           toString(ifNull(status, 0)), reason, toString(ifNull(next_attempt_at_ms, 0)),
           toString(at_ms)], '\t') AS newest,
       toDateTime(fromUnixTimestamp64Milli(at_ms, 'UTC')) AS told_at
FROM in_command_results;

-- Read in the order of the key, with rows merged while reading: FINAL applies conditions on other
-- columns afterwards, so none is applied to a row that only holds a result. Grouping held all
-- commands in memory at once.
CREATE VIEW IF NOT EXISTS v_commands
(
    command_id      String                 COMMENT 'The command (a UUID), from its acceptance.',
    provider        LowCardinality(String) COMMENT 'Provider that gets it.',
    command         LowCardinality(String)
        COMMENT 'start_tracking, stop_tracking, process_telemetry_events or …_planned_routes.',
    command_key     String
        COMMENT 'Transport id, or route:<route_id>; commands of one key go out in order.',
    transport_id    Int64                  COMMENT 'Transport of the command, 0 when of routes.',
    request_id      String
        COMMENT 'Of process_telemetry_events: its id in Base64, as in v_deferred_answers.',
    routes          UInt16                 COMMENT 'Number of planned routes, else 0.',
    corrects        String                 COMMENT 'Command that this one replaces, or empty.',
    client_id       LowCardinality(String) COMMENT 'Client that issued it, or operator.',
    country_id      LowCardinality(String) COMMENT 'Country of the call.',
    state           LowCardinality(String)
        COMMENT 'queued, sending (tried, waits); done, refused, ended, cancelled or expired.',
    attempts        UInt64                 COMMENT 'Attempts so far, by the result that counts.',
    status          Nullable(UInt16)
        COMMENT 'HTTP status of the result that counts; NULL when none came.',
    reason          LowCardinality(String) COMMENT 'Its reason, as in v_command_results, or empty.',
    issued_at       DateTime64(3, 'UTC')
        COMMENT 'When it was issued, by the gateway''s clock, UTC milliseconds.',
    next_attempt_at Nullable(DateTime64(3, 'UTC'))
        COMMENT 'While sending: not sent again before, UTC milliseconds.',
    ended_at        Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When it ended, by the sender''s clock, UTC milliseconds; NULL when not yet.',
    latency_s       Nullable(Float64)      COMMENT 'From issue to end, seconds; NULL when not yet.',
    k_partition     UInt16                 COMMENT 'Partition of the log that holds the command.',
    k_offset        UInt64                 COMMENT 'Offset of the command in that partition.'
)
SQL SECURITY DEFINER
AS SELECT command_id, provider, command, command_key, ifNull(transport_id, 0) AS transport_id,
          request_id, routes, corrects, client_id, country_id,
          multiIf(newest = '', 'queued', is_end, result[2], 'sending') AS state,
          toUInt64OrZero(result[3]) AS attempts, nullIf(toUInt16OrZero(result[4]), 0) AS status,
          result[5] AS reason, fromUnixTimestamp64Milli(issued_at_ms, 'UTC') AS issued_at,
          if(state = 'sending' AND next_ms != 0, fromUnixTimestamp64Milli(next_ms, 'UTC'), NULL)
              AS next_attempt_at,
          if(is_end, fromUnixTimestamp64Milli(end_ms, 'UTC'), NULL) AS ended_at,
          if(is_end, (end_ms - issued_at_ms) / 1000, NULL) AS latency_s,
          k_partition, bitNot(k_rank) AS k_offset
   FROM (SELECT *, startsWith(newest, '1') AS is_end, splitByChar('\t', newest) AS result,
                toInt64OrZero(result[6]) AS next_ms, toInt64OrZero(result[7]) AS end_ms
         FROM provider_command_states FINAL)
   WHERE k_rank != 0
   SETTINGS optimize_move_to_prewhere_if_final = 0
COMMENT 'A row for each command to a provider, with what came of it; no plates, no places.';
