-- How long are devices tracked?
-- Parameters: since DateTime('UTC') (from of start), until DateTime('UTC') (to before of start).
-- Comes out: devices that were started in the window by type of entity, how many of these were
--   stopped since, and median and greatest hours from start to stop.
SELECT entity_type, count() AS devices, count(tracked_s) AS stopped,
       quantileExactInclusive(0.5)(tracked_s) / 3600 AS median_hours,
       max(tracked_s) / 3600 AS most_hours
FROM v_devices
WHERE started_at >= {since:DateTime('UTC')} AND started_at < {until:DateTime('UTC')}
GROUP BY entity_type
ORDER BY entity_type
