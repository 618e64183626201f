-- Which events happen how often?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: events, devices and mean seconds by kind and provider.
SELECT provider, name, count() AS events, uniqExact(device_id) AS devices,
       avg(dateDiff('millisecond', start_date, end_date)) / 1000 AS mean_s
FROM v_telemetry_events
WHERE start_date >= {since:DateTime('UTC')} AND start_date < {until:DateTime('UTC')}
GROUP BY provider, name
ORDER BY provider, events DESC, name
