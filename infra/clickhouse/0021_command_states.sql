-- What came of a command beside the command, in one row: joining 400 days of both at every question
-- took more memory than an analyst has.

-- Both parts are greatest tuples: no order and no repetition changes them. A command is told first
-- by the greatest k_rank. Of results the one counts that the state store shows too: an end before a
-- retry, then the higher fence, then the later attempt, then what was told first
-- (services/domain/monitoring/result.ts). What was not told yet is all zeros.
CREATE TABLE IF NOT EXISTS provider_command_states
(
    provider   LowCardinality(String) CODEC(ZSTD(1)),
    command_id String                 CODEC(ZSTD(1)),
    issued     SimpleAggregateFunction(max, Tuple(
        k_rank UInt64, k_partition UInt16, command String, command_key String, transport_id Int64,
        request_id String, routes UInt16, corrects String, client_id String, country_id String,
        at_ms Int64)) CODEC(ZSTD(1)),
    newest     SimpleAggregateFunction(max, Tuple(
        is_end Bool, fence UInt64, attempt UInt64, k_rank UInt64, outcome String,
        http_status UInt16, reason String, next_attempt_at_ms Int64, at_ms Int64)) CODEC(ZSTD(1)),
    told_at    SimpleAggregateFunction(max, DateTime('UTC')) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY (provider, command_id)
TTL told_at + INTERVAL 400 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_commands_to_provider_command_states
TO provider_command_states AS
SELECT provider, command_id,
       (bitNot(m.ko), m.kp, body.command, command_key, body.transport.id, body.id,
        toUInt16(length(body.planned_routes)), corrects, client_id, country_id, at_ms) AS issued,
       toDateTime(fromUnixTimestamp64Milli(m.r, 'UTC')) AS told_at
FROM in_commands;

CREATE MATERIALIZED VIEW IF NOT EXISTS in_command_results_to_provider_command_states
TO provider_command_states AS
SELECT provider, command_id,
       (outcome != 'retry', fence, attempt, bitNot(m.ko), outcome, ifNull(status, 0), reason,
        ifNull(next_attempt_at_ms, 0), at_ms) AS newest,
       toDateTime(fromUnixTimestamp64Milli(at_ms, 'UTC')) AS told_at
FROM in_command_results;

-- Grouped, not FINAL: a condition on a command would be asked of the rows that only hold a result.
CREATE VIEW IF NOT EXISTS v_commands
(
    command_id      String                 COMMENT 'The command (UUIDv7), from its acceptance.',
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
        COMMENT 'queued, sending (tried, waits), or the end: done, refused, ended, cancelled.',
    attempts        UInt64                 COMMENT 'Attempts so far, by the result that counts.',
    status          Nullable(UInt16)
        COMMENT 'HTTP status of the result that counts; NULL when none came.',
    reason          LowCardinality(String) COMMENT 'Its reason, as in v_command_results, or empty.',
    issued_at       DateTime64(3, 'UTC')
        COMMENT 'When it was issued, by the gateway''s clock, UTC milliseconds.',
    next_attempt_at Nullable(DateTime64(3, 'UTC'))
        COMMENT 'While sending: not sent again before, UTC milliseconds.',
    ended_at        Nullable(DateTime64(3, 'UTC'))
        COMMENT 'When it ended, by the dispatcher''s clock, UTC milliseconds; NULL when not yet.',
    latency_s       Nullable(Float64)      COMMENT 'From issue to end, seconds; NULL when not yet.',
    k_partition     UInt16                 COMMENT 'Partition of the log that holds the command.',
    k_offset        UInt64                 COMMENT 'Offset of the command in that partition.'
)
SQL SECURITY DEFINER
AS SELECT command_id, provider, issued.command AS command, issued.command_key AS command_key,
          issued.transport_id AS transport_id, issued.request_id AS request_id,
          issued.routes AS routes, issued.corrects AS corrects, issued.client_id AS client_id,
          issued.country_id AS country_id,
          multiIf(newest.outcome = '', 'queued', newest.is_end, newest.outcome, 'sending') AS state,
          newest.attempt AS attempts, nullIf(newest.http_status, 0) AS status,
          newest.reason AS reason, fromUnixTimestamp64Milli(issued.at_ms, 'UTC') AS issued_at,
          if(state = 'sending' AND newest.next_attempt_at_ms != 0,
             fromUnixTimestamp64Milli(newest.next_attempt_at_ms, 'UTC'), NULL) AS next_attempt_at,
          if(newest.is_end, fromUnixTimestamp64Milli(newest.at_ms, 'UTC'), NULL) AS ended_at,
          if(newest.is_end, (newest.at_ms - issued.at_ms) / 1000, NULL) AS latency_s,
          issued.k_partition AS k_partition, bitNot(issued.k_rank) AS k_offset
   FROM (SELECT provider, command_id, max(s.issued) AS issued, max(s.newest) AS newest
         FROM provider_command_states AS s
         GROUP BY provider, command_id
         HAVING issued.k_rank != 0)
   SETTINGS optimize_aggregation_in_order = 1;

ALTER TABLE v_commands MODIFY COMMENT
    'A row for each command to a provider, with what came of it; no plates, no places.';
