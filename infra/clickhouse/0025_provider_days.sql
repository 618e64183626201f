-- How good is what each provider sends, kept by day of receipt, so that a month of it is read in
-- seconds (ADR 0068). A day is computed once it is over and its balances (0020) are, and again
-- after each of them that is computed later: so it is exact after repeats and late records too.

-- For each day and provider a row for each device, and one for all of them, without a device. Only
-- the rows of the newest computation of a day count; a day has one without a provider, which says
-- that it was computed. Latencies are in milliseconds, to two digits, each with the number of its
-- fixes. Rows of devices are kept as long as fixes, the others five years.
CREATE TABLE IF NOT EXISTS provider_days
(
    day             Date                   CODEC(Delta, ZSTD(1)),
    provider        LowCardinality(String) CODEC(ZSTD(1)),
    device_id       String                 CODEC(ZSTD(1)),
    fixes           UInt64                 CODEC(T64, ZSTD(1)),
    future          UInt64                 CODEC(T64, ZSTD(1)),
    stale           UInt64                 CODEC(T64, ZSTD(1)),
    zero_position   UInt64                 CODEC(T64, ZSTD(1)),
    out_of_order    UInt64                 CODEC(T64, ZSTD(1)),
    gaps            UInt64                 CODEC(T64, ZSTD(1)),
    duplicates      Int64                  CODEC(T64, ZSTD(1)),
    outliers        Int64                  CODEC(T64, ZSTD(1)),
    skew_ms         Int64                  CODEC(T64, ZSTD(1)),
    latencies       Array(Int64)           CODEC(ZSTD(1)),
    latency_fixes   Array(UInt64)          CODEC(ZSTD(1)),
    computed_at     DateTime64(3, 'UTC')   CODEC(Delta, ZSTD(1))
)
ENGINE = ReplacingMergeTree(computed_at)
PARTITION BY toYYYYMM(day)
ORDER BY (day, provider, device_id)
TTL day + INTERVAL 400 DAY DELETE WHERE device_id != '', day + INTERVAL 1830 DAY DELETE;

-- A day is open while something that was received in it is not in its rows.
CREATE VIEW IF NOT EXISTS provider_day_states
SQL SECURITY DEFINER
AS SELECT day, max(balanced) AS balanced_at, max(waits) AS is_waiting, max(computed) AS computed_at,
          is_waiting OR balanced_at >= computed_at AS is_open
   FROM (SELECT toDate(period) AS day, computed_at AS balanced, is_stale AS waits,
                toDateTime64(0, 3, 'UTC') AS computed
         FROM ingest_period_states
         UNION ALL
         SELECT day, toDateTime64(0, 3, 'UTC'), false, d.computed_at
         FROM provider_days AS d
         WHERE provider = '' AND device_id = '')
   GROUP BY day;

-- The days of a scope. 'due' are the oldest two that can be computed. 'open' are those of a window
-- whose rows here are not the newest, or that are not whole in it. 'near' are these and what was
-- computed in the last minute, as it may have been open when a query began.
CREATE VIEW IF NOT EXISTS provider_days_in
SQL SECURITY DEFINER
AS SELECT day
   FROM provider_day_states
   WHERE if({scope:String} = 'due', is_open AND NOT is_waiting AND day < toDate(now('UTC')),
            is_open
            OR {scope:String} = 'near' AND computed_at > now64(3, 'UTC') - INTERVAL 60 SECOND
            OR toDateTime64(day, 3, 'UTC') < {since:DateTime64(3, 'UTC')}
            OR toDateTime64(day + 1, 3, 'UTC') > {until:DateTime64(3, 'UTC')})
     AND day >= toDate({since:DateTime64(3, 'UTC')})
     AND toDateTime64(day, 3, 'UTC') < {until:DateTime64(3, 'UTC')}
   ORDER BY day
   LIMIT if({scope:String} = 'due', 2, 100000);

-- The rows of those days, and in part of others, of the fixes that were received in a window: who
-- reads them chooses by day.
--   latency       receipt minus own time; 1,234 ms is 1,200
--   skew_ms       the least difference of receipt and post: transport takes time and never gives
--                 any, so it is nearest to the error of the clock alone
--   out_of_order  older than a fix that an earlier call of the day brought
--   gaps          more than 900 s between two fixes of the day, by their own time
--   duplicates    what the ledger (0011) says was written of the records, without what has a row
CREATE VIEW IF NOT EXISTS provider_days_of
SQL SECURITY DEFINER
AS SELECT day, provider, device_id, sum(of_device.fixes) AS fixes, sum(of_device.future) AS future,
          sum(of_device.stale) AS stale, sum(of_device.zero_position) AS zero_position,
          sum(of_device.out_of_order) AS out_of_order, sum(of_device.gaps) AS gaps,
          if(device_id = '', sum(written) - toInt64(fixes), 0) AS duplicates,
          sum(of_device.outliers) AS outliers, minIf(skew, device_id != '') AS skew_ms,
          sumMap(classes.1, classes.2) AS sums, if(device_id = '', sums.1, []) AS latencies,
          if(device_id = '', sums.2, []) AS latency_fixes
   FROM (
       SELECT day, provider, device_id, sum(of_call.fixes) AS fixes, sum(of_call.future) AS future,
              sum(of_call.stale) AS stale, sum(of_call.zero_position) AS zero_position,
              sum(arrayCount(t -> t < newest_before, times)) AS out_of_order,
              arrayCount(step -> step > 900,
                         arrayDifference(arraySort(groupArrayArray(times)))) AS gaps,
              0 AS written, 0 AS outliers, min(of_call.skew) AS skew,
              sumMap(latencies, arrayResize([toUInt64(1)], length(latencies), 1)) AS classes
       FROM (
           SELECT *, max(arrayMax(times)) OVER (
                         PARTITION BY day, provider, device_id ORDER BY k_partition, k_offset
                         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS newest_before
           FROM (
               SELECT toDate(received_at) AS day, provider, device_id, k_partition,
                      bitNot(k_rank) AS k_offset, count() AS fixes,
                      countIf(bitTest(flag_bits, 0)) AS future,
                      countIf(bitTest(flag_bits, 2)) AS stale,
                      countIf(bitTest(flag_bits, 1)) AS zero_position,
                      min(toUnixTimestamp64Milli(received_at) - toInt64(post_ts) * 1000) AS skew,
                      groupArray(toInt64(toUnixTimestamp(ts))) AS times,
                      groupArray(toUnixTimestamp64Milli(received_at)
                          - toInt64(toUnixTimestamp(ts)) * 1000 AS ms) AS exact,
                      arrayMap(ms -> toInt64(round(ms / (intExp10(greatest(
                          toInt8(floor(log10(abs(ms) + 0.5))) - 1, 0)) AS unit))) * unit, exact)
                          AS latencies
               FROM locations FINAL
               WHERE received_at >= {since:DateTime64(3, 'UTC')}
                 AND received_at < {until:DateTime64(3, 'UTC')}
                 -- Else a late fix would have FINAL read all that lies between its day and this.
                 AND (toDate(ts), device_id) IN (
                     SELECT toDate(ts), device_id FROM locations
                     WHERE received_at >= {since:DateTime64(3, 'UTC')}
                       AND received_at < {until:DateTime64(3, 'UTC')}
                       AND (is_late OR toDate(ts) BETWEEN toDate({since:DateTime64(3, 'UTC')})
                                                      AND toDate({until:DateTime64(3, 'UTC')}))
                       AND toDate(received_at) IN (
                           SELECT day FROM provider_days_in(since = {since:DateTime64(3, 'UTC')},
                               until = {until:DateTime64(3, 'UTC')}, scope = {scope:String})))
               GROUP BY day, provider, device_id, k_partition, k_offset, received_at
               SETTINGS do_not_merge_across_partitions_select_final = 0)
       ) AS of_call
       GROUP BY day, provider, device_id
       UNION ALL
       SELECT toDate(received_at) AS day, r.provider AS provider, '', 0, 0, 0, 0, 0, 0,
              sumIf(toInt64(s.items), destination = 'table'),
              sumIf(toInt64(s.items), destination = 'outlier'), 0, ([], [])
       FROM (SELECT * FROM ingest_records FINAL
             WHERE received_at >= {since:DateTime64(3, 'UTC')}
               AND received_at < {until:DateTime64(3, 'UTC')}
               AND kind = 'locations' AND replayed_from = ''
             SETTINGS do_not_merge_across_partitions_select_final = 1) AS r
       INNER JOIN (SELECT * FROM ingest_stored FINAL
                   WHERE received_at >= {since:DateTime64(3, 'UTC')}
                     AND received_at < {until:DateTime64(3, 'UTC')}
                     AND kind = 'locations') AS s
       ON r.k_partition = s.k_partition AND r.k_offset = s.k_offset
          AND r.received_at = s.received_at
       WHERE toDate(received_at) IN (
           SELECT day FROM provider_days_in(since = {since:DateTime64(3, 'UTC')},
               until = {until:DateTime64(3, 'UTC')}, scope = {scope:String}))
       GROUP BY day, provider
   ) AS of_device
   GROUP BY GROUPING SETS ((day, provider, device_id), (day, provider))
   HAVING grouping(device_id) = 1 OR device_id != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS provider_days_refresh
REFRESH EVERY 5 MINUTE DEPENDS ON ingest_balances_refresh APPEND TO provider_days EMPTY
SQL SECURITY DEFINER
AS WITH (SELECT groupArray(day)
         FROM provider_days_in(since = '1970-01-01 00:00:00', until = '2100-01-01 00:00:00',
             scope = 'due')) AS chosen,
        (SELECT now64(3, 'UTC')) AS stamp
   SELECT day, provider, device_id, fixes, future, stale, zero_position, out_of_order, gaps,
          duplicates, outliers, skew_ms, latencies, latency_fixes,
          assumeNotNull(stamp) AS computed_at
   FROM provider_days_of(since = '1970-01-01 00:00:00', until = '2100-01-01 00:00:00',
                         scope = 'due')
   WHERE has(chosen, day)
   UNION ALL
   SELECT arrayJoin(chosen) AS day, '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, [], [], assumeNotNull(stamp);

CREATE VIEW IF NOT EXISTS v_provider_quality
(
    provider            LowCardinality(String) COMMENT 'Provider of the path of the calls.',
    devices             UInt64
        COMMENT 'Devices with a fix received in the window; like their clocks for 400 days.',
    fixes               UInt64     COMMENT 'Fixes received first in the window.',
    latency_p50_s       Float64
        COMMENT 'Median of receipt minus own time of the fix, seconds, to two digits.',
    latency_p95_s       Float64    COMMENT 'The same, exceeded by 5 of 100 fixes, seconds.',
    latency_p99_s       Float64    COMMENT 'The same, exceeded by 1 of 100 fixes, seconds.',
    future              UInt64     COMMENT 'Fixes more than 5 minutes ahead of their receipt.',
    stale               UInt64     COMMENT 'Fixes more than 24 hours old at their receipt.',
    zero_position       UInt64     COMMENT 'Fixes at 0,0.',
    duplicates          Int64      COMMENT 'Accepted fixes that said what was known already.',
    outliers            Int64
        COMMENT 'Accepted fixes over 400 days old or over a day ahead, stored apart.',
    out_of_order        UInt64
        COMMENT 'Fixes older than one that an earlier call of the day brought of their device.',
    gaps                UInt64
        COMMENT 'Silences of over 15 minutes, by own time, in what came of a device on one day.',
    clock_skew_ms       Int64
        COMMENT 'Estimated error of the devices'' clocks, median over devices, milliseconds.',
    clock_skew_ms_worst Int64
        COMMENT 'The estimate farthest from 0; positive when the device''s clock is behind.',
    devices_off         UInt64     COMMENT 'Devices whose clock is estimated over 60 seconds off.'
)
SQL SECURITY DEFINER
AS WITH (SELECT groupArray(day)
         FROM provider_days_in(since = {since:DateTime64(3, 'UTC')},
             until = {until:DateTime64(3, 'UTC')}, scope = 'open')) AS open,
        days AS (
            SELECT provider, device_id, fixes, future, stale, zero_position, out_of_order, gaps,
                   duplicates, outliers, skew_ms, latencies, latency_fixes
            FROM provider_days_of(since = {since:DateTime64(3, 'UTC')},
                until = {until:DateTime64(3, 'UTC')}, scope = 'near')
            WHERE has(open, day)
            UNION ALL
            SELECT provider, device_id, fixes, future, stale, zero_position, out_of_order, gaps,
                   duplicates, outliers, skew_ms, latencies, latency_fixes
            FROM provider_days
            WHERE provider != '' AND NOT has(open, day)
              AND day >= toDate({since:DateTime64(3, 'UTC')})
              AND toDateTime64(day, 3, 'UTC') < {until:DateTime64(3, 'UTC')}
              AND (day, computed_at) IN (
                  SELECT day, max(d.computed_at) FROM provider_days AS d
                  WHERE day >= toDate({since:DateTime64(3, 'UTC')})
                    AND toDateTime64(day, 3, 'UTC') < {until:DateTime64(3, 'UTC')}
                  GROUP BY day)),
        devices AS (
            SELECT provider, device_id, max(device_id = '') AS is_total, sum(d.fixes) AS fixes,
                   sum(d.future) AS future, sum(d.stale) AS stale,
                   sum(d.zero_position) AS zero_position, sum(d.out_of_order) AS out_of_order,
                   sum(d.gaps) AS gaps, sum(d.duplicates) AS duplicates,
                   sum(d.outliers) AS outliers, min(d.skew_ms) AS skew_ms,
                   sumMap(d.latencies, d.latency_fixes) AS classes
            FROM days AS d
            GROUP BY provider, device_id),
        quantilesExactWeightedArray(0.5, 0.95, 0.99)(classes.1, classes.2) AS percentiles
   SELECT provider, countIf(NOT is_total) AS devices, sumIf(d.fixes, is_total) AS fixes,
          percentiles[1] / 1000 AS latency_p50_s, percentiles[2] / 1000 AS latency_p95_s,
          percentiles[3] / 1000 AS latency_p99_s, sumIf(d.future, is_total) AS future,
          sumIf(d.stale, is_total) AS stale, sumIf(d.zero_position, is_total) AS zero_position,
          sumIf(d.duplicates, is_total) AS duplicates, sumIf(d.outliers, is_total) AS outliers,
          sumIf(d.out_of_order, is_total) AS out_of_order, sumIf(d.gaps, is_total) AS gaps,
          quantileExactIf(0.5)(skew_ms, NOT is_total) AS clock_skew_ms,
          argMaxIf(skew_ms, abs(skew_ms), NOT is_total) AS clock_skew_ms_worst,
          countIf(abs(skew_ms) > 60000 AND NOT is_total) AS devices_off
   FROM devices AS d
   GROUP BY provider
   HAVING fixes > 0
COMMENT
    'Latency, order, gaps, repeats and clocks of each provider, of the fixes received in a window.';
