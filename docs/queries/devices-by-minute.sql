-- How many devices reported in each minute?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: a row for each minute: devices, seconds with a fix, greatest speed in km/h.
SELECT minute, uniqExact(device_id) AS devices, sum(seconds) AS seconds,
       max(speed_max_kmh) AS speed_max_kmh
FROM v_device_minutes
WHERE minute >= {since:DateTime('UTC')} AND minute < {until:DateTime('UTC')}
GROUP BY minute
ORDER BY minute
