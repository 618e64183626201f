-- How far did the whole fleet go on each day?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: devices, kilometers, driving and standing hours by day.
SELECT day, uniqExact(device_id) AS devices, sum(distance_m) / 1000 AS kilometers,
       sum(driving_s) / 3600 AS driving_hours, sum(standing_s) / 3600 AS standing_hours
FROM v_device_days
WHERE day BETWEEN {from_day:Date} AND {to_day:Date}
GROUP BY day
ORDER BY day
