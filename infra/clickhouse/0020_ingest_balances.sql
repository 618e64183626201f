-- The balance of each ten minutes of receipt, kept as rows, so that a month of it is read in
-- seconds (ADR 0064). What was written after a period was computed makes it open: the view reads
-- open periods from 0012, until they are computed again.

-- For each period: when something was written of what was received in it, and when that was
-- compared with other periods. When a record of another one may have taken rows of it. When it was
-- computed, and when something in it was unexplained.
CREATE TABLE IF NOT EXISTS ingest_period_marks
(
    period         DateTime('UTC')                                    CODEC(Delta, ZSTD(1)),
    marked_at      SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    compared_at    SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    taken_at       SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    computed_at    SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
    unexplained_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
ORDER BY period
TTL period + INTERVAL 402 DAY DELETE
SETTINGS non_replicated_deduplication_window = 10000, merge_with_ttl_timeout = 604800,
         merge_selector_base = 20;

CREATE MATERIALIZED VIEW IF NOT EXISTS ingest_records_to_ingest_period_marks TO ingest_period_marks
SQL SECURITY DEFINER
AS SELECT toStartOfTenMinutes(received_at) AS period, max(now64(3, 'UTC')) AS marked_at
   FROM ingest_records
   GROUP BY period;

CREATE MATERIALIZED VIEW IF NOT EXISTS ingest_stored_to_ingest_period_marks TO ingest_period_marks
SQL SECURITY DEFINER
AS SELECT toStartOfTenMinutes(received_at) AS period, max(now64(3, 'UTC')) AS marked_at
   FROM ingest_stored
   GROUP BY period;

CREATE MATERIALIZED VIEW IF NOT EXISTS shipment_journeys_to_ingest_period_marks
TO ingest_period_marks
SQL SECURITY DEFINER
AS SELECT toStartOfTenMinutes(received_at) AS period, max(now64(3, 'UTC')) AS marked_at
   FROM shipment_journeys
   GROUP BY period;

CREATE MATERIALIZED VIEW IF NOT EXISTS dead_letters_to_ingest_period_marks TO ingest_period_marks
SQL SECURITY DEFINER
AS SELECT toStartOfTenMinutes(received_at) AS period, max(now64(3, 'UTC')) AS marked_at
   FROM dead_letters
   GROUP BY period;

-- A mark has the time at which an insert begins, so it may be a few minutes older than the rows.
CREATE VIEW IF NOT EXISTS ingest_period_states
SQL SECURITY DEFINER
AS SELECT period, max(m.marked_at) AS marked_at, max(m.computed_at) AS computed_at,
          marked_at <= max(m.compared_at) - INTERVAL 300 SECOND AS is_compared,
          greatest(max(m.marked_at), max(m.taken_at)) AS touched_at,
          touched_at > computed_at - INTERVAL 300 SECOND AS is_stale,
          is_stale OR max(m.unexplained_at) >= computed_at AS is_open
   FROM ingest_period_marks AS m
   GROUP BY period;

-- The periods that are next in a step, 'compare' or after it 'compute': those that have waited
-- longest, and as many as have a million items together, so that the memory of a refresh is bounded
-- after a restore too. One in which something was written in the last 300 s is not due yet. One
-- that becomes due meanwhile comes last, so it pushes none away that a refresh has chosen.
CREATE VIEW IF NOT EXISTS ingest_periods_due
SQL SECURITY DEFINER
AS WITH waiting AS (
       SELECT period, touched_at FROM ingest_period_states
       WHERE touched_at < now64(3, 'UTC') - INTERVAL 300 SECOND
         AND if({step:String} = 'compare', NOT is_compared, is_compared AND is_stale)
       ORDER BY touched_at, period
       LIMIT 1000)
   SELECT period
   FROM (SELECT w.period AS period,
                sum(r.items) OVER (ORDER BY w.touched_at, w.period
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS items_before
         FROM waiting AS w
         LEFT JOIN (SELECT toStartOfTenMinutes(received_at) AS period, sum(items) AS items
                    FROM ingest_records
                    WHERE toStartOfTenMinutes(received_at) IN (SELECT period FROM waiting)
                    GROUP BY period) AS r ON r.period = w.period)
   WHERE items_before < 1000000;

-- What was chosen to be computed, a row for each choice. The newest counts: it is made once, so
-- that no query of a balance has to plan how it is made.
CREATE TABLE IF NOT EXISTS ingest_choices
(
    chosen_at DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1)),
    periods   Array(DateTime('UTC')) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY chosen_at
TTL toDateTime(chosen_at) + INTERVAL 2 DAY DELETE;

-- What 0012 reads for a balance: the periods that are open and what was computed in the last
-- minute, as it may have been open when a query began.
CREATE VIEW IF NOT EXISTS ingest_periods_near
SQL SECURITY DEFINER
AS SELECT period FROM ingest_period_states
   WHERE is_open OR computed_at > now64(3, 'UTC') - INTERVAL 60 SECOND;

-- What it reads for a refresh: the periods of the newest two choices that still wait. A choice that
-- comes while a refresh begins takes none away from it.
CREATE VIEW IF NOT EXISTS ingest_periods_chosen
SQL SECURITY DEFINER
AS SELECT period FROM ingest_period_states
   WHERE is_stale AND period IN (
       SELECT arrayJoin(periods)
       FROM (SELECT periods FROM ingest_choices ORDER BY chosen_at DESC LIMIT 2));

-- The periods of a window that have to be read from 0012, as their rows here are not the newest, or
-- as the window begins or ends within a minute of them.
CREATE VIEW IF NOT EXISTS ingest_periods_open
SQL SECURITY DEFINER
AS SELECT period FROM ingest_period_states
   WHERE period > {since:DateTime64(3, 'UTC')} - INTERVAL 600 SECOND
     AND period < {until:DateTime64(3, 'UTC')}
     AND (is_open
       OR period < {since:DateTime64(3, 'UTC')}
         AND toStartOfMinute({since:DateTime64(3, 'UTC')}) < {since:DateTime64(3, 'UTC')}
       OR period + INTERVAL 600 SECOND > {until:DateTime64(3, 'UTC')}
         AND toStartOfMinute({until:DateTime64(3, 'UTC')}) < {until:DateTime64(3, 'UTC')});

-- A repeat with a smaller offset takes the row of the one that was there, and the item that had it
-- turns from stored into duplicate. So what was written is compared with what had come of the same
-- subject and time. Offsets and receipts go up together, except where one of them is from the
-- overflow topic, so most of the ledger need not be read.
CREATE MATERIALIZED VIEW IF NOT EXISTS ingest_comparisons_refresh
REFRESH EVERY 5 MINUTE APPEND TO ingest_period_marks EMPTY
SQL SECURITY DEFINER
AS WITH (SELECT groupArray(period) FROM ingest_periods_due(step = 'compare')) AS chosen,
        (SELECT if(countIf(topic = 'rtt.overflow-locations.v1') > 0, toDateTime(0, 'UTC'),
                   arrayMin(chosen) - 3600)
         FROM ingest_records
         WHERE toStartOfTenMinutes(received_at) IN (SELECT arrayJoin(chosen))) AS since
   SELECT period, max(taken) AS taken_at, max(compared) AS compared_at
   FROM (
       SELECT arrayJoin(chosen) AS period, toDateTime64(0, 3, 'UTC') AS taken,
              now64(3, 'UTC') AS compared
       UNION ALL
       SELECT toStartOfTenMinutes(had.received_at) AS period, now64(3, 'UTC') AS taken,
              toDateTime64(0, 3, 'UTC') AS compared
       FROM (SELECT kind, subject, received_at, k_offset, ts_min, ts_max,
                    arrayJoin(range(toUInt32(toDate(ts_min)), toUInt32(toDate(ts_max)) + 1)) AS day
             FROM ingest_stored
             WHERE received_at >= since AND destination = 'table' AND subject != ''
               AND toStartOfTenMinutes(received_at) IN (
                   SELECT period FROM ingest_period_states WHERE computed_at > 0)) AS had
       INNER JOIN (
             SELECT kind, subject, received_at, k_offset, ts_min, ts_max,
                    arrayJoin(range(toUInt32(toDate(ts_min)), toUInt32(toDate(ts_max)) + 1)) AS day
             FROM ingest_stored
             WHERE toStartOfTenMinutes(received_at) IN (SELECT arrayJoin(chosen))
               AND destination = 'table' AND subject != '') AS came
       ON had.kind = came.kind AND had.subject = came.subject AND had.day = came.day
       WHERE came.k_offset < had.k_offset AND came.ts_min <= had.ts_max
         AND had.ts_min <= came.ts_max
         AND toStartOfTenMinutes(came.received_at) != toStartOfTenMinutes(had.received_at))
   GROUP BY period;

-- Only the rows of the newest computation of a period count. Kept for five years: counts alone,
-- without a person or a place.
CREATE TABLE IF NOT EXISTS ingest_balances
(
    period         DateTime('UTC')                                        CODEC(Delta, ZSTD(1)),
    minute              DateTime('UTC')        CODEC(Delta, ZSTD(1)),
    provider            LowCardinality(String) CODEC(ZSTD(1)),
    kind                LowCardinality(String) CODEC(ZSTD(1)),
    calls               UInt64                 CODEC(T64, ZSTD(1)),
    accepted            Int64                  CODEC(T64, ZSTD(1)),
    stored              Int64                  CODEC(T64, ZSTD(1)),
    duplicate           Int64                  CODEC(T64, ZSTD(1)),
    outlier             Int64                  CODEC(T64, ZSTD(1)),
    out_of_order        Int64                  CODEC(T64, ZSTD(1)),
    ignored_after_final Int64                  CODEC(T64, ZSTD(1)),
    disputed            Int64                  CODEC(T64, ZSTD(1)),
    dead_lettered       Int64                  CODEC(T64, ZSTD(1)),
    unexplained         Int64                  CODEC(T64, ZSTD(1)),
    computed_at         DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY toYYYYMM(period)
ORDER BY (period, minute, provider, kind)
TTL period + INTERVAL 1830 DAY DELETE
SETTINGS ttl_only_drop_parts = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS ingest_choices_refresh
REFRESH EVERY 5 MINUTE DEPENDS ON ingest_comparisons_refresh APPEND TO ingest_choices EMPTY
SQL SECURITY DEFINER
AS SELECT now64(3, 'UTC') AS chosen_at, groupArray(period) AS periods
   FROM ingest_periods_due(step = 'compute');

-- A period whose records are all erased has no balance; a row without kind says that it was
-- computed. The choice is read first, as one value: only its periods are written.
CREATE MATERIALIZED VIEW IF NOT EXISTS ingest_balances_refresh
REFRESH EVERY 5 MINUTE DEPENDS ON ingest_choices_refresh APPEND TO ingest_balances EMPTY
SQL SECURITY DEFINER
AS WITH (SELECT groupArray(period) FROM ingest_period_states
         WHERE is_stale AND period IN (
             SELECT arrayJoin(argMax(periods, chosen_at)) FROM ingest_choices)) AS chosen
   SELECT toStartOfTenMinutes(minute) AS period, toStartOfMinute(received_at) AS minute,
          o.provider AS provider, o.kind AS kind, uniqExact(ingest_id) AS calls,
          sum(items) AS accepted, sum(o.stored) AS stored, sum(o.duplicate) AS duplicate,
          sum(o.outlier) AS outlier, sum(o.out_of_order) AS out_of_order,
          sum(o.ignored_after_final) AS ignored_after_final, sum(o.disputed) AS disputed,
          sum(o.dead_lettered) AS dead_lettered,
          accepted - stored - duplicate - outlier - out_of_order - ignored_after_final
              - disputed - dead_lettered AS unexplained,
          now64(3, 'UTC') AS computed_at
   FROM ingest_outcomes(since = '1970-01-01 00:00:00', until = '2100-01-01 00:00:00',
                        scope = 'due') AS o
   WHERE has(chosen, toStartOfTenMinutes(received_at))
   GROUP BY minute, provider, kind
   UNION ALL
   SELECT arrayJoin(chosen) AS period, period AS minute, '' AS provider, '' AS kind, 0 AS calls,
          0 AS accepted, 0 AS stored, 0 AS duplicate, 0 AS outlier, 0 AS out_of_order,
          0 AS ignored_after_final, 0 AS disputed, 0 AS dead_lettered, 0 AS unexplained,
          now64(3, 'UTC') AS computed_at;

CREATE MATERIALIZED VIEW IF NOT EXISTS ingest_balances_to_ingest_period_marks
TO ingest_period_marks
SQL SECURITY DEFINER
AS SELECT period, max(b.computed_at) AS computed_at,
          maxIf(b.computed_at, unexplained != 0) AS unexplained_at
   FROM ingest_balances AS b
   GROUP BY period;

CREATE VIEW IF NOT EXISTS v_ingest_balance
(
    minute              DateTime('UTC')        COMMENT 'Minute of the receipt, UTC.',
    provider            LowCardinality(String)
        COMMENT 'Provider of the path of the call; empty for notifications.',
    kind                LowCardinality(String) COMMENT 'As in v_ingest_outcomes.',
    calls               UInt64                 COMMENT 'Accepted calls.',
    accepted            Int64                  COMMENT 'Accepted items.',
    stored              Int64                  COMMENT 'As in v_ingest_outcomes, to missing.',
    duplicate           Int64                  COMMENT 'Items that said what was known already.',
    outlier             Int64                  COMMENT 'Items whose time is out of range.',
    out_of_order        Int64                  COMMENT 'Notifications older than what was applied.',
    ignored_after_final Int64                  COMMENT 'Notifications of a finished shipment.',
    disputed            Int64
        COMMENT 'Notifications of a number of another carrier, kept apart.',
    dead_lettered       Int64                  COMMENT 'Items that could not be processed.',
    unexplained         Int64
        COMMENT 'accepted minus all of these: waiting, or missing. 0 a minute after receipt.'
)
SQL SECURITY DEFINER
AS WITH (SELECT groupArray(period)
         FROM ingest_periods_open(since = {since:DateTime64(3, 'UTC')},
             until = {until:DateTime64(3, 'UTC')})) AS open
   SELECT toStartOfMinute(received_at) AS minute, o.provider AS provider, o.kind AS kind,
          uniqExact(ingest_id) AS calls, sum(items) AS accepted, sum(o.stored) AS stored,
          sum(o.duplicate) AS duplicate, sum(o.outlier) AS outlier,
          sum(o.out_of_order) AS out_of_order,
          sum(o.ignored_after_final) AS ignored_after_final, sum(o.disputed) AS disputed,
          sum(o.dead_lettered) AS dead_lettered,
          accepted - stored - duplicate - outlier - out_of_order - ignored_after_final
              - disputed - dead_lettered AS unexplained
   FROM ingest_outcomes(since = {since:DateTime64(3, 'UTC')},
       until = {until:DateTime64(3, 'UTC')}, scope = 'near') AS o
   WHERE toStartOfTenMinutes(received_at) IN open
   GROUP BY minute, provider, kind
   UNION ALL
   SELECT minute, provider, kind, calls, accepted, stored, duplicate, outlier, out_of_order,
          ignored_after_final, disputed, dead_lettered, unexplained
   FROM ingest_balances
   WHERE minute >= {since:DateTime64(3, 'UTC')} AND minute < {until:DateTime64(3, 'UTC')}
     AND kind != '' AND period NOT IN open
     AND (period, computed_at) IN (
         SELECT period, max(b.computed_at) FROM ingest_balances AS b
         WHERE minute >= {since:DateTime64(3, 'UTC')} - INTERVAL 600 SECOND
           AND minute < {until:DateTime64(3, 'UTC')}
         GROUP BY period)
COMMENT 'Accepted items against outcomes by minute of receipt, provider and kind.';
