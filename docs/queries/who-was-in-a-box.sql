-- Which devices were in a rectangle in some time, and when?
-- Parameters: south Float64 (degrees), north Float64 (degrees), west Float64 (degrees), east
--   Float64 (degrees), since DateTime('UTC') (from), until DateTime('UTC') (to before).
-- Comes out: a row for each device: first and last time, and seconds with a fix in it.
SELECT device_id, min(ts) AS first_ts, max(ts) AS last_ts, uniqExact(ts) AS seconds
FROM v_fixes_in_box(south = {south:Float64}, north = {north:Float64}, west = {west:Float64},
    east = {east:Float64}, since = {since:DateTime('UTC')}, until = {until:DateTime('UTC')})
GROUP BY device_id
ORDER BY device_id
