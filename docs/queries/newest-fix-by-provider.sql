-- How old is the newest fix of each provider?
-- Parameters: until DateTime('UTC') (the time to count back from, such as now).
-- Comes out: the newest fix, its age in seconds, devices, and those silent for more than an hour.
SELECT provider, max(ts) AS newest_ts,
       dateDiff('second', newest_ts, {until:DateTime('UTC')}) AS age_s, count() AS devices,
       countIf(ts < {until:DateTime('UTC')} - INTERVAL 1 HOUR) AS silent_devices
FROM v_device_last
GROUP BY provider
ORDER BY age_s DESC, provider
