-- How late do carriers notify?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: by client: notifications, those from the future, and median, 95th percentile and
--   greatest seconds from what happened to the receipt.
SELECT client_id, count() AS notifications, countIf(late_s < 0) AS from_the_future,
       quantileExactInclusive(0.5)(late_s) AS median_s,
       quantileExactInclusive(0.95)(late_s) AS p95_s, max(late_s) AS most_s
FROM (SELECT client_id, dateDiff('millisecond', occurred_at, received_at) / 1000 AS late_s
      FROM v_notifications
      WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')})
GROUP BY client_id
ORDER BY median_s DESC, client_id
