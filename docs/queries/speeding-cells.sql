-- Where is it driven faster than 110 km/h?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: H3 cells with their centers, the most seconds first; sum a cell over days.
SELECT h3ToString(h3) AS cell, any(latitude) AS center_latitude, any(longitude) AS center_longitude,
       sum(over_110_s) AS seconds_over, sum(seconds) AS seconds_in_all,
       max(speed_max_kmh) AS fastest
FROM v_speeding_cells
WHERE day BETWEEN {from_day:Date} AND {to_day:Date}
GROUP BY h3
HAVING seconds_over > 0
ORDER BY seconds_over DESC, cell
LIMIT 1000
