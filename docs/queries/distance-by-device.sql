-- How far did each device go, and how long did it drive?
-- Parameters: provider String, from_day Date (first day), to_day Date (last day).
-- Comes out: kilometers, hours of driving and stops of each device, the farthest first.
SELECT device_id, sum(distance_m) / 1000 AS kilometers, sum(driving_s) / 3600 AS driving_hours,
       sum(stops) AS stops
FROM v_device_days
WHERE provider = {provider:String} AND day BETWEEN {from_day:Date} AND {to_day:Date}
GROUP BY device_id
ORDER BY kilometers DESC, device_id
