-- Which providers send times that cannot be true?
-- Parameters: since DateTime('UTC') (from of receipt), until DateTime('UTC') (to before of
--   receipt).
-- Comes out: fixes that were stored apart by provider and reason, with their span.
SELECT provider, reason, count() AS fixes, uniqExact(device_id) AS devices,
       min(ts) AS first_ts, max(ts) AS last_ts
FROM v_location_outliers
WHERE received_at >= {since:DateTime('UTC')} AND received_at < {until:DateTime('UTC')}
  AND kind = 'location'
GROUP BY provider, reason
ORDER BY fixes DESC, provider, reason
