-- How much of its battery does a vehicle use for a kilometer?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: days of devices: percent used from first to last reading, kilometers, percent
--   each.
SELECT t.device_id AS device_id, t.day AS day, t.used AS percent_used,
       d.distance_m / 1000 AS kilometers, percent_used / kilometers AS percent_per_kilometer
FROM (SELECT device_id, toDate(ts) AS day,
             argMin(battery_level, ts) - argMax(battery_level, ts) AS used
      FROM v_telemetry
      WHERE ts >= toDateTime({from_day:Date}, 'UTC') AND ts < toDateTime({to_day:Date} + 1, 'UTC')
        AND battery_level IS NOT NULL
      GROUP BY device_id, day) AS t
INNER JOIN (SELECT device_id, day, distance_m
            FROM v_device_days
            WHERE day BETWEEN {from_day:Date} AND {to_day:Date} AND distance_m > 0) AS d
ON t.device_id = d.device_id AND t.day = d.day
ORDER BY device_id, day
