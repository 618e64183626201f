-- Which fixes cannot be true as they are, and why?
-- Parameters: device String (one device, or empty for all), since DateTime('UTC') (from), until
--   DateTime('UTC') (to before).
-- Comes out: a row for each fix and name, the newest first, with what speaks against it.
SELECT device_id, ts, kind, latitude, longitude, off_s, duration_s, distance_m, speed_kmh, provider
FROM v_odd_fixes(device = {device:String}, since = {since:DateTime('UTC')},
                 until = {until:DateTime('UTC')})
ORDER BY ts DESC, device_id, kind, latitude, longitude
LIMIT 1000
