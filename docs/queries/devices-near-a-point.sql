-- Which devices came within some meters of a point, and when?
-- Parameters: longitude Float64 (degrees), latitude Float64 (degrees), since DateTime('UTC')
--   (from), until DateTime('UTC') (to before), meters Float64 (meters).
-- Comes out: a row for each device: first and last time, nearest distance in meters.
SELECT device_id, min(ts) AS first_ts, max(ts) AS last_ts, min(distance_m) AS nearest
FROM v_fixes_near(latitude = {latitude:Float64}, longitude = {longitude:Float64},
    meters = {meters:Float64}, since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})
GROUP BY device_id
ORDER BY device_id
