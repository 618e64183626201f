-- The outcome of every accepted item, from the tables of 0011. The scope says which periods of ten
-- minutes of the window count: 'all', or those of 0020 that are 'near' or 'due', and those that the
-- window cuts within a minute. ClickHouse resolves a view with parameters again for each view
-- around it, which is most of what a short window costs: so few of them are nested (ADR 0064).
-- All rows of a record have its time of receipt, so they are in one partition: FINAL then reads the
-- days of the window, and not of all 400 what sorts between its first and its last record.

-- How far each record received in [since, until) has come, without reading the big tables. Facts
-- that no client sent are left out.
CREATE VIEW IF NOT EXISTS ingest_ends
SQL SECURITY DEFINER
AS WITH {since:DateTime64(3, 'UTC')} AS begin_at, {until:DateTime64(3, 'UTC')} AS end_at,
        records AS (
            SELECT * FROM ingest_records FINAL
            WHERE received_at >= {since:DateTime64(3, 'UTC')}
              AND received_at < {until:DateTime64(3, 'UTC')}
              AND ({scope:String} = 'all'
                OR toStartOfMinute(begin_at) < begin_at
                  AND received_at < toStartOfTenMinutes(begin_at) + INTERVAL 600 SECOND
                OR toStartOfMinute(end_at) < end_at AND received_at >= toStartOfTenMinutes(end_at)
                OR {scope:String} = 'near' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_near)
                OR {scope:String} = 'due' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_chosen))
            SETTINGS do_not_merge_across_partitions_select_final = 1),
        evidence AS (
            SELECT * FROM ingest_stored FINAL
            WHERE received_at >= {since:DateTime64(3, 'UTC')}
              AND received_at < {until:DateTime64(3, 'UTC')}
              AND ({scope:String} = 'all'
                OR toStartOfMinute(begin_at) < begin_at
                  AND received_at < toStartOfTenMinutes(begin_at) + INTERVAL 600 SECOND
                OR toStartOfMinute(end_at) < end_at AND received_at >= toStartOfTenMinutes(end_at)
                OR {scope:String} = 'near' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_near)
                OR {scope:String} = 'due' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_chosen)))
   SELECT r.ingest_id AS ingest_id, r.topic AS topic, r.topic_id AS topic_id,
          r.k_partition AS k_partition, r.k_offset AS k_offset, r.kind AS kind, r.key AS key,
          r.client_id AS client_id, r.provider AS provider, r.received_at AS received_at,
          toInt64(r.items) AS items, toInt64(s.written) AS written,
          toInt64(s.outliers) AS outliers, s.facts AS facts, s.ts_min AS ts_min,
          s.ts_max AS ts_max, j.outcome AS outcome, j.rule AS rule, j.unmapped AS unmapped,
          d.stage AS stage, d.code AS code,
          multiIf(code = '', 0,
                  kind = 'notifications', toInt64(outcome = '' OR written = 0),
                  greatest(items - written - outliers, 0)) AS dead_lettered,
          if(kind = 'notifications', toInt64(dead_lettered = 0 AND (outcome = '' OR written = 0)),
             items - written - outliers - dead_lettered) AS waiting
   FROM (SELECT * FROM records
         WHERE replayed_from = ''
           AND kind IN ('locations', 'telemetry_events', 'deferred_events', 'delivery_locations',
                        'notifications')) AS r
   LEFT JOIN (SELECT kind, k_partition, k_offset, received_at,
                     sumIf(items, destination = 'table') AS written,
                     sumIf(items, destination = 'outlier') AS outliers,
                     maxIf(facts, destination = 'table') AS facts,
                     minIf(ts_min, destination = 'table') AS ts_min,
                     maxIf(ts_max, destination = 'table') AS ts_max
              FROM evidence
              GROUP BY kind, k_partition, k_offset, received_at) AS s
   ON r.kind = s.kind AND r.k_partition = s.k_partition AND r.k_offset = s.k_offset
      AND r.received_at = s.received_at
   LEFT JOIN (SELECT topic_id, notification_partition, notification_offset,
                     argMax(kept.outcome, is_reapplied) AS outcome,
                     argMax(kept.rule, is_reapplied) AS rule,
                     argMax(kept.unmapped, is_reapplied) AS unmapped
              FROM (SELECT if(is_reapplied, reapplies_topic_id, j.topic_id) AS topic_id,
                           if(is_reapplied, reapplies_partition, j.notification_partition)
                               AS notification_partition,
                           if(is_reapplied, reapplies_offset, j.notification_offset)
                               AS notification_offset,
                           outcome, rule, unmapped, reapplies_topic_id != '' AS is_reapplied
                    FROM shipment_journeys AS j FINAL
                    WHERE received_at >= {since:DateTime64(3, 'UTC')}
                      AND received_at < {until:DateTime64(3, 'UTC')}
                      AND ({scope:String} = 'all'
                OR toStartOfMinute(begin_at) < begin_at
                  AND received_at < toStartOfTenMinutes(begin_at) + INTERVAL 600 SECOND
                OR toStartOfMinute(end_at) < end_at AND received_at >= toStartOfTenMinutes(end_at)
                OR {scope:String} = 'near' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_near)
                OR {scope:String} = 'due' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_chosen))
                   ) AS kept
              GROUP BY topic_id, notification_partition, notification_offset) AS j
   ON r.topic_id = j.topic_id AND r.k_partition = j.notification_partition
      AND r.k_offset = j.notification_offset AND r.kind = 'notifications'
   LEFT JOIN (SELECT root_topic_id, root_partition, root_offset,
                     argMax(dead_letters.stage, at) AS stage, argMax(dead_letters.code, at) AS code
              FROM dead_letters FINAL
              WHERE worker IN ('table-writer', 'journey', '')
                AND (root_topic_id, root_partition, root_offset) IN (
                    SELECT topic_id, toUInt32(k_partition), k_offset
                    FROM records)
              GROUP BY root_topic_id, root_partition, root_offset) AS d
   ON r.topic_id = d.root_topic_id AND r.k_partition = d.root_partition
      AND r.k_offset = d.root_offset;

-- stored_rows are the rows that exist now, for each record of the window: `own` are of the record
-- itself, `there` are all of the same subject in the range of its times, from any sender. An item
-- that was sent before has its row at the first sending, so there are at least `facts` of them.
-- Rows and records meet by minute, or by day where a record spans more than an hour: by subject
-- alone each row of a device would meet each of its records. Only the days of the records are read.
-- Of events it is what was received since a day before the first of them, as none starts over a day
-- after its receipt. Rows and evidence of one insert do not become visible at one moment, so that
-- in the first seconds what has no row of its own still waits.
CREATE VIEW IF NOT EXISTS ingest_outcomes
SQL SECURITY DEFINER
AS WITH {since:DateTime64(3, 'UTC')} AS begin_at, {until:DateTime64(3, 'UTC')} AS end_at,
        evidence AS (
            SELECT * FROM ingest_stored FINAL
            WHERE received_at >= {since:DateTime64(3, 'UTC')}
              AND received_at < {until:DateTime64(3, 'UTC')}
              AND ({scope:String} = 'all'
                OR toStartOfMinute(begin_at) < begin_at
                  AND received_at < toStartOfTenMinutes(begin_at) + INTERVAL 600 SECOND
                OR toStartOfMinute(end_at) < end_at AND received_at >= toStartOfTenMinutes(end_at)
                OR {scope:String} = 'near' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_near)
                OR {scope:String} = 'due' AND toStartOfTenMinutes(received_at) IN (
                    SELECT period FROM ingest_periods_chosen))),
        stored_rows AS (
   SELECT w.kind AS kind, w.k_partition AS k_partition, w.k_offset AS k_offset,
          w.received_at AS received_at,
          toInt64(sumIf(x.weight, x.row_partition = w.k_partition
              AND x.row_rank = bitNot(w.k_offset) AND x.row_received_at = w.received_at)) AS own,
          toInt64(sum(x.weight)) AS there
   FROM (
       SELECT row_kind, row_subject, row_at, row_partition, row_rank, row_received_at, weight,
              arrayJoin([intDiv(toUnixTimestamp(row_at), 60),
                         -1 - intDiv(toUnixTimestamp(row_at), 86400)]) AS row_bucket
       FROM (
           SELECT 'locations' AS row_kind, device_id AS row_subject,
                  toDateTime64(ts, 3, 'UTC') AS row_at, k_partition AS row_partition,
                  k_rank AS row_rank, received_at AS row_received_at, 1 AS weight
           FROM locations FINAL
           WHERE (toDate(ts), device_id) IN (
               SELECT arrayJoin(arrayMap(n -> toDate(ts_min) + n,
                                         range(toUInt32(toDate(ts_max) - toDate(ts_min) + 1)))),
                      subject
               FROM evidence
               WHERE kind = 'locations' AND destination = 'table')
           UNION ALL
           SELECT 'telemetry_events', device_id, start_date, k_partition, k_rank, received_at, 1
           FROM telemetry_events FINAL
           WHERE outlier = '' AND device_id IN (
               SELECT subject FROM evidence
               WHERE kind = 'telemetry_events')
             AND received_at >= (
                 SELECT min(ts_min) - INTERVAL 1 DAY
                 FROM evidence
                 WHERE kind = 'telemetry_events' AND destination = 'table')
           UNION ALL
           SELECT 'deferred_events', toString(transport_id), toDateTime64(0, 3, 'UTC'),
                  k_partition, k_rank, received_at, greatest(events, 1)
           FROM deferred_answers FINAL
           WHERE transport_id IN (
               SELECT toInt64OrZero(subject)
               FROM evidence
               WHERE kind = 'deferred_events')
           UNION ALL
           SELECT 'delivery_locations', toString(bitNot(k_rank)), toDateTime64(ts, 3, 'UTC'),
                  k_partition, k_rank, received_at, 1
           FROM delivery_locations FINAL
           WHERE toDate(ts) IN (
               SELECT arrayJoin(arrayMap(n -> toDate(ts_min) + n,
                                         range(toUInt32(toDate(ts_max) - toDate(ts_min) + 1))))
               FROM evidence
               WHERE kind = 'delivery_locations' AND destination = 'table')
             AND received_at >= {since:DateTime64(3, 'UTC')}
             AND received_at < {until:DateTime64(3, 'UTC')}
       )
   ) AS x
   INNER JOIN (
       SELECT kind, k_partition, k_offset, received_at, ts_min, ts_max,
              if(kind = 'delivery_locations', toString(k_offset), subject) AS record_subject,
              toUnixTimestamp(ts_min) AS first_s, toUnixTimestamp(ts_max) AS last_s,
              arrayJoin(if(last_s - first_s <= 3600,
                  arrayMap(n -> intDiv(first_s, 60) + toInt64(n),
                           range(toUInt32(intDiv(last_s, 60) - intDiv(first_s, 60) + 1))),
                  arrayMap(n -> -1 - intDiv(first_s, 86400) - toInt64(n),
                           range(toUInt32(intDiv(last_s, 86400) - intDiv(first_s, 86400) + 1)))))
                  AS bucket
       FROM evidence
       WHERE destination = 'table'
   ) AS w
   ON x.row_kind = w.kind AND x.row_subject = w.record_subject AND x.row_bucket = w.bucket
   WHERE x.row_at BETWEEN w.ts_min AND w.ts_max
   GROUP BY kind, k_partition, k_offset, received_at)
   SELECT toString(UUIDNumToString(e.ingest_id)) AS ingest_id, e.kind AS kind,
          e.client_id AS client_id, e.provider AS provider, e.received_at AS received_at,
          e.topic AS topic, e.topic_id AS topic_id, e.k_partition AS k_partition,
          e.k_offset AS k_offset, e.items AS items,
          multiIf(e.kind != 'notifications', n.own, is_judged AND e.outcome = 'applied', 1, 0)
              AS stored,
          if(e.kind != 'notifications', e.written - n.own, 0) AS rowless,
          e.received_at > now64(3, 'UTC') - INTERVAL 3 SECOND AS is_fresh,
          multiIf(e.kind != 'notifications', if(is_fresh, 0, rowless - missing),
                  is_judged AND e.outcome = 'duplicate', 1, 0) AS duplicate,
          e.outliers AS outlier,
          toInt64(is_judged AND e.outcome = 'out_of_order') AS out_of_order,
          toInt64(is_judged AND e.outcome = 'ignored_after_final') AS ignored_after_final,
          toInt64(is_judged AND e.outcome = 'disputed') AS disputed,
          e.dead_lettered AS dead_lettered, e.waiting + if(is_fresh, rowless, 0) AS waiting,
          if(e.facts = 0 OR is_fresh, 0,
             least(rowless, greatest(toInt64(e.facts) - n.there, 0))) AS missing,
          e.rule AS rule, e.unmapped AS unmapped,
          if(e.dead_lettered > 0, e.stage, '') AS stage,
          if(e.dead_lettered > 0, e.code, '') AS code
   FROM (SELECT *, dead_lettered = 0 AND waiting = 0 AS is_judged
         FROM ingest_ends(since = {since:DateTime64(3, 'UTC')},
             until = {until:DateTime64(3, 'UTC')}, scope = {scope:String})) AS e
   LEFT JOIN stored_rows AS n
   ON e.kind = n.kind AND e.k_partition = n.k_partition AND e.k_offset = n.k_offset
      AND e.received_at = n.received_at;

CREATE VIEW IF NOT EXISTS v_ingest_outcomes
(
    ingest_id           String                 COMMENT 'Id of the accepted call.',
    kind                LowCardinality(String)
        COMMENT 'locations, telemetry_events, deferred_events, delivery_locations, notifications.',
    client_id           LowCardinality(String) COMMENT 'Client that sent it.',
    provider            LowCardinality(String)
        COMMENT 'Provider of the path of the call; empty for notifications.',
    received_at         DateTime64(3, 'UTC')
        COMMENT 'When the gateway received the call, UTC milliseconds.',
    topic               LowCardinality(String) COMMENT 'Topic of the log that holds the record.',
    topic_id            LowCardinality(String) COMMENT 'Its id; a topic made anew has another.',
    k_partition         UInt16                 COMMENT 'Partition of the record.',
    k_offset            UInt64                 COMMENT 'Offset of the record in that partition.',
    items               Int64                  COMMENT 'Items that were accepted with the record.',
    stored              Int64
        COMMENT 'Items that have a row of their own, or a notification that was applied.',
    duplicate           Int64                  COMMENT 'Items that said what was known already.',
    outlier             Int64                  COMMENT 'Items whose time is out of range.',
    out_of_order        Int64                  COMMENT 'Notifications older than what was applied.',
    ignored_after_final Int64                  COMMENT 'Notifications of a finished shipment.',
    disputed            Int64
        COMMENT 'Notifications of a number of another carrier, kept apart.',
    dead_lettered       Int64                  COMMENT 'Items that could not be processed.',
    waiting             Int64
        COMMENT 'Items that have no fate yet; for 3 s after the receipt also those without a row.',
    missing             Int64
        COMMENT 'Items written once that have no row now; 0 in health.',
    rule                String                 COMMENT 'Rule that judged a notification.',
    unmapped            Bool
        COMMENT 'True when the catalogue does not know the code of a notification.',
    stage               String                 COMMENT 'Step that gave up, of a dead letter.',
    code                String                 COMMENT 'Code of the reason, of a dead letter.'
)
SQL SECURITY DEFINER
AS SELECT ingest_id, kind, client_id, provider, received_at, topic, topic_id, k_partition, k_offset,
          items, stored, duplicate, outlier, out_of_order, ignored_after_final, disputed,
          dead_lettered, waiting, missing, rule, unmapped, stage, code
   FROM ingest_outcomes(since = {since:DateTime64(3, 'UTC')}, until = {until:DateTime64(3, 'UTC')},
                        scope = 'all')
COMMENT 'How the items of each record of a window of receipt ended.';

-- By the time of the log, since a replayed record keeps the time of its first receipt; an hour on
-- either side covers differences of clocks and waits.
CREATE VIEW IF NOT EXISTS v_ingest_gaps
(
    topic         LowCardinality(String) COMMENT 'Topic of the log.',
    topic_id      LowCardinality(String) COMMENT 'Its id; a topic made anew has another.',
    k_partition   UInt16                 COMMENT 'Partition.',
    first_missing UInt64                 COMMENT 'First offset that was never read.',
    last_missing  UInt64                 COMMENT 'Last offset of the same gap.',
    records       UInt64                 COMMENT 'Records in the gap.',
    logged_at     DateTime64(3, 'UTC')
        COMMENT 'When the log took the first record behind the gap, UTC milliseconds.'
)
SQL SECURITY DEFINER
AS SELECT topic, topic_id, k_partition, before + 1 AS first_missing, k_offset - 1 AS last_missing,
          k_offset - before - 1 AS records, logged_at
   FROM (SELECT topic, topic_id, k_partition, k_offset, logged_at,
                lagInFrame(k_offset, 1, k_offset) OVER (
                    PARTITION BY topic_id, k_partition ORDER BY k_offset
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
         FROM ingest_records
         WHERE logged_at >= {since:DateTime64(3, 'UTC')} - INTERVAL 1 HOUR
           AND logged_at < {until:DateTime64(3, 'UTC')} + INTERVAL 1 HOUR)
   WHERE k_offset > before + 1 AND logged_at >= {since:DateTime64(3, 'UTC')}
     AND logged_at < {until:DateTime64(3, 'UTC')}
COMMENT 'Offsets of the log that were never read, though later ones were.';

-- The numbers of the alarm: cheap enough to be polled all the time.
CREATE VIEW IF NOT EXISTS in_ingest_alarm
SQL SECURITY DEFINER
AS SELECT (SELECT sum(abs(waiting)) FROM ingest_ends(since = {since:DateTime64(3, 'UTC')},
              until = {until:DateTime64(3, 'UTC')}, scope = 'all'))
              AS unexplained_items,
          (SELECT sum(records) FROM v_ingest_gaps(since = {since:DateTime64(3, 'UTC')},
                                                  until = {until:DateTime64(3, 'UTC')}))
              AS unread_records;
