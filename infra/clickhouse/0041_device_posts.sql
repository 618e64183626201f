-- The outcomes of each call about one device, for the page "Device" of the console (ADR 0103). The
-- ledger is in the order of receipt, so a filter of 1,024 records says whether a device is among
-- them. What it finds is a list, which is asked for once: the filter is most of what a view costs.

ALTER TABLE ingest_records ADD INDEX IF NOT EXISTS ix_key key TYPE bloom_filter(0.01) GRANULARITY 1;

-- Parts of before get theirs in the background.
ALTER TABLE ingest_records MATERIALIZE INDEX ix_key;

-- A repeated item keeps the row of its first sending: what a later record wrote has no row of its
-- own, and is a duplicate, 3 s after its receipt. Rows without evidence count as waiting: their
-- insert has not ended.
CREATE VIEW IF NOT EXISTS device_posts
SQL SECURITY DEFINER
AS WITH (SELECT groupArray((topic_id, k_partition, k_offset, kind, ingest_id, client_id, provider,
                            received_at, items))
         FROM (SELECT * FROM ingest_records
               WHERE key = {device:String} AND replayed_from = ''
                 AND kind IN ('locations', 'telemetry_events')
                 AND received_at >= {since:DateTime64(3, 'UTC')}
                 AND received_at < {until:DateTime64(3, 'UTC')}
               LIMIT 1 BY topic_id, k_partition, k_offset)) AS records,
        evidence AS (
            SELECT kind, k_partition, k_offset, received_at,
                   sumIf(items, destination = 'table') AS written,
                   sumIf(items, destination = 'outlier') AS outliers,
                   minIf(ts_min, destination = 'table') AS first_at,
                   maxIf(ts_max, destination = 'table') AS last_at
            FROM ingest_stored FINAL
            WHERE (kind, k_partition, k_offset) IN (
                SELECT each.4, each.2, each.3 FROM (SELECT arrayJoin(records) AS each))
              AND received_at >= {since:DateTime64(3, 'UTC')}
              AND received_at < {until:DateTime64(3, 'UTC')}
            GROUP BY kind, k_partition, k_offset, received_at)
   SELECT toString(UUIDNumToString(r.ingest_id)) AS ingest_id, r.kind AS kind,
          r.client_id AS client_id, r.provider AS provider, r.received_at AS received_at,
          toInt64(r.items) AS items, toInt64(least(n.own, s.written)) AS stored,
          if(r.received_at > now64(3, 'UTC') - INTERVAL 3 SECOND, 0, toInt64(s.written) - stored)
              AS duplicate,
          toInt64(s.outliers) AS outlier,
          if(d.code = '', 0, greatest(items - toInt64(s.written) - outlier, 0)) AS dead_lettered,
          items - stored - duplicate - outlier - dead_lettered AS waiting, d.code AS code
   FROM (SELECT each.1 AS topic_id, each.2 AS k_partition, each.3 AS k_offset, each.4 AS kind,
                each.5 AS ingest_id, each.6 AS client_id, each.7 AS provider,
                each.8 AS received_at, each.9 AS items
         FROM (SELECT arrayJoin(records) AS each)) AS r
   LEFT JOIN evidence AS s
   ON r.kind = s.kind AND r.k_partition = s.k_partition AND r.k_offset = s.k_offset
      AND r.received_at = s.received_at
   LEFT JOIN (SELECT 'locations' AS kind, k_partition, bitNot(k_rank) AS k_offset, received_at,
                     count() AS own
              FROM locations FINAL
              WHERE (toDate(ts), device_id) IN (
                  SELECT arrayJoin(arrayMap(n -> toDate(first_at) + n,
                             range(toUInt32(toDate(last_at) - toDate(first_at) + 1)))),
                         {device:String}
                  FROM evidence
                  WHERE kind = 'locations' AND written > 0)
              GROUP BY k_partition, k_rank, received_at
              UNION ALL
              SELECT 'telemetry_events', k_partition, bitNot(k_rank), received_at, count()
              FROM telemetry_events FINAL
              WHERE outlier = '' AND device_id = {device:String}
                AND received_at >= {since:DateTime64(3, 'UTC')}
                AND received_at < {until:DateTime64(3, 'UTC')}
              GROUP BY k_partition, k_rank, received_at) AS n
   ON r.kind = n.kind AND r.k_partition = n.k_partition AND r.k_offset = n.k_offset
      AND r.received_at = n.received_at
   LEFT JOIN (SELECT root_topic_id, root_partition, root_offset,
                     argMax(dead_letters.code, at) AS code
              FROM dead_letters FINAL
              WHERE worker IN ('table-writer', '')
                AND (root_topic_id, root_partition, root_offset) IN (
                    SELECT each.1, toUInt32(each.2), each.3
                    FROM (SELECT arrayJoin(records) AS each))
              GROUP BY root_topic_id, root_partition, root_offset) AS d
   ON r.topic_id = d.root_topic_id AND r.k_partition = d.root_partition
      AND r.k_offset = d.root_offset;
