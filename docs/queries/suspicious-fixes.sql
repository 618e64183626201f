-- Which providers send suspicious fixes?
-- Parameters: since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: fixes by provider and flag.
SELECT provider, arrayJoin(flags) AS flag, count() AS fixes, uniqExact(device_id) AS devices
FROM v_locations
WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
GROUP BY provider, flag
ORDER BY provider, flag
