-- Which brands of devices are in use for how long?
-- Parameters: since DateTime('UTC') (from of start), until DateTime('UTC') (to before of start).
-- Comes out: devices by type and brand, those stopped, and their median and greatest hours of life.
SELECT device_type, brand, count() AS devices, count(tracked_s) AS stopped,
       quantileExactInclusive(0.5)(tracked_s) / 3600 AS median_hours,
       max(tracked_s) / 3600 AS most_hours
FROM v_devices
WHERE started_at >= {since:DateTime('UTC')} AND started_at < {until:DateTime('UTC')}
GROUP BY device_type, brand
ORDER BY devices DESC, device_type, brand
