-- How much of its battery does a vehicle use for a kilometer?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: days of devices: percent used from first to last reading, kilometers, percent
--   each.
SELECT b.device_id AS device_id, b.day AS day, b.used AS percent_used,
       d.distance_m / 1000 AS kilometers, percent_used / kilometers AS percent_per_kilometer
FROM (SELECT device_id, day, first_percent - last_percent AS used
      FROM v_battery_days
      WHERE day BETWEEN {from_day:Date} AND {to_day:Date}) AS b
INNER JOIN (SELECT device_id, day, distance_m
            FROM v_device_days
            WHERE day BETWEEN {from_day:Date} AND {to_day:Date} AND distance_m > 0) AS d
ON b.device_id = d.device_id AND b.day = d.day
ORDER BY device_id, day
