-- Where is it driven faster than 110 km/h?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: H3 cells with their centers, the most seconds first.
SELECT h3ToString(h3) AS cell, latitude AS center_latitude, longitude AS center_longitude,
       over_110_s AS seconds_over, seconds AS seconds_in_all, speed_max_kmh AS fastest
FROM v_cell_speeds(from_day = {from_day:Date}, to_day = {to_day:Date})
WHERE seconds_over > 0
ORDER BY seconds_over DESC, cell
LIMIT 1000
