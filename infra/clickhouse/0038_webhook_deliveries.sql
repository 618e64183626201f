-- The result for each fact at each webhook. A try that was repeated because a process died has the
-- same number as the first, which wins.

CREATE TABLE IF NOT EXISTS webhook_tries
(
    webhook_id      LowCardinality(String) CODEC(ZSTD(1)),
    range_id        LowCardinality(String) CODEC(ZSTD(1)),
    record_id       String                 CODEC(ZSTD(1)),
    attempt         UInt64                 CODEC(ZSTD(1)),
    outcome         LowCardinality(String) CODEC(ZSTD(1)),
    client_id       LowCardinality(String) CODEC(ZSTD(1)),
    kind            LowCardinality(String) CODEC(ZSTD(1)),
    topic           LowCardinality(String) CODEC(ZSTD(1)),
    reason          LowCardinality(String) CODEC(ZSTD(1)),
    http_status     Nullable(UInt16)       CODEC(ZSTD(1)),
    records         UInt64                 CODEC(ZSTD(1)),
    recorded_at     Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    next_attempt_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    at              DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    k_partition     UInt16                 CODEC(ZSTD(1)),
    k_rank          UInt64                 CODEC(DoubleDelta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(k_rank)
PARTITION BY toYYYYMM(at)
ORDER BY (webhook_id, range_id, record_id, attempt, outcome)
TTL toDateTime(at) + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- Facts as they are in the log, with m in front as in in_locations.
CREATE TABLE IF NOT EXISTS in_webhook_tries
(
    m Tuple(d String, o String, p String, c String, t Int64, r Int64, kp UInt16, ko UInt64),
    webhook_id String,
    range_id String,
    record_id String,
    attempt UInt64,
    outcome String,
    client_id String,
    kind String,
    topic String,
    reason String,
    status Nullable(UInt16),
    records UInt64,
    recorded_at_ms Nullable(Int64),
    next_attempt_at_ms Nullable(Int64),
    at_ms Int64
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_webhook_tries_to_webhook_tries TO webhook_tries AS
SELECT webhook_id, range_id, record_id, attempt, outcome, client_id, kind, topic, reason,
       status AS http_status, records,
       fromUnixTimestamp64Milli(recorded_at_ms, 'UTC') AS recorded_at,
       fromUnixTimestamp64Milli(next_attempt_at_ms, 'UTC') AS next_attempt_at,
       fromUnixTimestamp64Milli(at_ms, 'UTC') AS at, m.kp AS k_partition, bitNot(m.ko) AS k_rank
FROM in_webhook_tries;

CREATE VIEW IF NOT EXISTS v_webhook_tries
(
    webhook_id      LowCardinality(String) COMMENT 'The webhook.',
    range_id        LowCardinality(String) COMMENT 'live, or the replay that it belongs to.',
    record_id       String                 COMMENT 'The fact: its webhook-id.',
    attempt         UInt64
        COMMENT 'Tries so far, this one included; 0 without a try.',
    outcome         LowCardinality(String)
        COMMENT 'delivered (2xx), retry, parked, skipped by an operator, or removed from the log.',
    client_id       LowCardinality(String) COMMENT 'Client that the webhook belongs to.',
    kind            LowCardinality(String) COMMENT 'device, journey, command or dead_letter.',
    topic           LowCardinality(String) COMMENT 'Topic that the fact is in.',
    reason          LowCardinality(String)
        COMMENT 'What happened: answered, gone, timeout, network, operator, retention and so on.',
    status          Nullable(UInt16)       COMMENT 'HTTP status; NULL when none came.',
    records         UInt64
        COMMENT 'Of removed: records of the partition that are gone, of all clients; else 0.',
    recorded_at     Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When the fact came into the log, UTC milliseconds; NULL when it was removed.',
    next_attempt_at Nullable(DateTime64(3, 'UTC'))
        COMMENT 'Of retry: not sent again before, UTC milliseconds; else NULL.',
    at              DateTime64(3, 'UTC')
        COMMENT 'When the try ended, by the sender''s clock, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT webhook_id, range_id, record_id, attempt, outcome, client_id, kind, topic, reason,
          http_status AS status, records, recorded_at, next_attempt_at, at
   FROM webhook_tries FINAL
COMMENT 'A row for each try to deliver a fact to a webhook that is in the log, and for each end.';

-- Read in the order of the key, so that few facts are in memory at once.
CREATE VIEW IF NOT EXISTS v_webhook_deliveries
(
    webhook_id   LowCardinality(String) COMMENT 'The webhook.',
    range_id     LowCardinality(String) COMMENT 'live, or the replay that it belongs to.',
    record_id    String                 COMMENT 'The fact: its webhook-id.',
    client_id    LowCardinality(String) COMMENT 'Client that the webhook belongs to.',
    kind         LowCardinality(String) COMMENT 'device, journey, command or dead_letter.',
    state        LowCardinality(String)
        COMMENT 'retry or parked while it waits; delivered, skipped or removed at its end.',
    attempts     UInt64                 COMMENT 'Tries so far, as far as they are in the log.',
    recorded_at  Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When the fact came into the log, UTC milliseconds; NULL when it was removed.',
    delivered_at Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When it was delivered first, UTC milliseconds; NULL when it is not.',
    latency_s    Nullable(Float64)
        COMMENT 'From the log to the first delivery, seconds; NULL when it is not delivered.',
    last_at      DateTime64(3, 'UTC')   COMMENT 'When the last try ended, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT webhook_id, range_id, record_id, any(t.client_id) AS client_id, any(t.kind) AS kind,
          argMax(t.outcome, (t.outcome IN ('delivered', 'skipped', 'removed'), t.at, t.attempt))
              AS state,
          max(t.attempt) AS attempts, max(t.recorded_at) AS recorded_at,
          minOrNullIf(t.at, t.outcome = 'delivered') AS delivered_at,
          (toUnixTimestamp64Milli(delivered_at) - toUnixTimestamp64Milli(recorded_at)) / 1000
              AS latency_s,
          max(t.at) AS last_at
   FROM webhook_tries AS t FINAL
   GROUP BY webhook_id, range_id, record_id
   SETTINGS optimize_aggregation_in_order = 1
COMMENT 'A row for each fact that a webhook gets, with its state.';
