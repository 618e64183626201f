-- Which devices came within some meters of a point, and when?
-- Parameters: longitude Float64 (degrees), latitude Float64 (degrees), since DateTime('UTC')
--   (from), until DateTime('UTC') (to before), meters Float64 (meters).
-- Comes out: a row for each device: first and last time, nearest distance in meters.
SELECT device_id, min(ts) AS first_ts, max(ts) AS last_ts,
       min(greatCircleDistance(longitude, latitude, {longitude:Float64}, {latitude:Float64}))
           AS nearest
FROM v_locations
WHERE ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
  AND latitude BETWEEN {latitude:Float64} - {meters:Float64} / 110000
                   AND {latitude:Float64} + {meters:Float64} / 110000
  AND greatCircleDistance(longitude, latitude, {longitude:Float64}, {latitude:Float64})
      <= {meters:Float64}
GROUP BY device_id
ORDER BY device_id
