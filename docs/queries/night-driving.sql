-- Which devices drive at night?
-- Parameters: zone String (time zone, such as America/Sao_Paulo), since DateTime('UTC') (from),
--   until DateTime('UTC') (to before).
-- Comes out: minutes between 22:00 and 05:00 of the zone with a speed above 0, and the first and
--   last of these, UTC.
SELECT device_id, provider, uniqExact(toStartOfMinute(ts)) AS minutes, min(ts) AS first_ts,
       max(ts) AS last_ts
FROM v_locations
WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
  AND speed > 0 AND NOT toHour(ts, {zone:String}) BETWEEN 5 AND 21
GROUP BY device_id, provider
ORDER BY minutes DESC, device_id, provider
