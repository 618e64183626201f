-- What came of a command beside the command, in one row: joining 400 days of both at every question
-- took more memory than an analyst has.

-- Each column is the greatest of what was told, so that no order and no repetition changes it; of a
-- row that only holds a result those of the command are empty, 0 or NULL, and the other way round.
-- Of results the one counts that the state store shows too: an end before a retry, then the higher
-- fence, then the later attempt, then what was told first (services/domain/monitoring/result.ts);
-- newest is text that sorts like that, and then what the result says, divided by tabs. Plain
-- columns, because the greatest of tuples takes microseconds for each row.
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

-- Read in the order of the key, and rows made one on the way: FINAL asks conditions on columns
-- beside the key afterwards, so that none is asked of a row that only holds a result. Grouping
-- held all commands in memory at once.
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
   SETTINGS optimize_move_to_prewhere_if_final = 0;

ALTER TABLE v_commands MODIFY COMMENT
    'A row for each command to a provider, with what came of it; no plates, no places.';
