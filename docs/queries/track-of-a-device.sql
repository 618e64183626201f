-- Which way did a device take?
-- Parameters: device String, since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: its fixes in the order of their time.
SELECT ts, latitude, longitude, speed, bearing, flags
FROM v_locations
WHERE device_id = {device:String}
  AND ts >= {since:DateTime('UTC')} AND ts < {until:DateTime('UTC')}
ORDER BY ts, latitude, longitude
