-- Which devices are in a rectangle by their newest place?
-- Parameters: south Float64 (degrees), north Float64 (degrees), west Float64 (degrees), east
--   Float64 (degrees).
-- Comes out: devices with their places.
SELECT device_id, ts, latitude, longitude
FROM v_device_last
WHERE latitude BETWEEN {south:Float64} AND {north:Float64}
  AND longitude BETWEEN {west:Float64} AND {east:Float64}
ORDER BY device_id
