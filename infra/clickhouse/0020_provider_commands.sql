-- Commands to providers and what came of them. A body names plates and places of vehicles: of it
-- the landing table takes the kind of command and the ids, and nothing keeps the rest.

-- One row per command; k_rank lets the first saying win.
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
-- pointless is a result of the same attempt, so that the outcome is part of the identity.
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

-- Facts as they lie in the log, with m in front as in in_locations.
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
               planned_routes Array(Tuple(route_id Int64))),
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
        COMMENT 'retry, or the end: done (200), refused (400), ended (403), cancelled (by a stop).',
    status          Nullable(UInt16)       COMMENT 'HTTP status; NULL when none came.',
    reason          LowCardinality(String)
        COMMENT 'answered, timeout, network, redirect, throttled, token_…, stopped.',
    next_attempt_at Nullable(DateTime64(3, 'UTC'))
        COMMENT 'Not sent again before, UTC milliseconds; NULL after an end.',
    cancelled_by    String
        COMMENT 'The stop_tracking command that made it pointless, or empty.',
    at              DateTime64(3, 'UTC')
        COMMENT 'When the attempt ended, by the dispatcher''s clock, UTC milliseconds.',
    k_partition     UInt16                 COMMENT 'Partition of the log that holds the record.',
    k_offset        UInt64                 COMMENT 'Offset of the record in that partition.'
)
SQL SECURITY DEFINER
AS SELECT provider, command_id, attempt, fence, outcome, http_status AS status, reason,
          next_attempt_at, cancelled_by, at, k_partition, bitNot(k_rank) AS k_offset
   FROM provider_command_results FINAL;

ALTER TABLE v_command_results MODIFY COMMENT
    'A row for each attempt to bring a command to its provider, and for each cancellation.';
