-- Where do shipments wait longest?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: by status: how often it was left, and median and greatest hours from entering it to
--   entering the next. A status that was not left yet is not in it.
SELECT status, count() AS times, quantileExactInclusive(0.5)(hours) AS median_hours,
       max(hours) AS most_hours
FROM (SELECT status, dateDiff('second', occurred_at,
                 leadInFrame(toNullable(occurred_at)) OVER w) / 3600 AS hours
      FROM v_journeys
      WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
        AND outcome = 'applied' AND status != status_before
      WINDOW w AS (PARTITION BY tracking_number ORDER BY received_at, k_partition, k_offset
                   ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING))
WHERE hours IS NOT NULL
GROUP BY status
ORDER BY median_hours DESC, status
