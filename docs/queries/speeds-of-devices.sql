-- How fast does each device drive?
-- Parameters: provider String, since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: median, 95th percentile and maximum of speeds above 0, in km/h.
SELECT device_id, count() AS fixes, quantileExactInclusive(0.5)(speed) AS median,
       quantileExactInclusive(0.95)(speed) AS p95, max(speed) AS fastest
FROM v_locations
WHERE provider = {provider:String} AND speed > 0
  AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
GROUP BY device_id
ORDER BY device_id
