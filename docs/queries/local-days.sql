-- How far did each device go on each day of its local clock?
-- Parameters: provider String, from_day Date (first local day), to_day Date (last local day).
-- Comes out: a row for each device and local day: time zone, first and last fix, trips that began
--   on the day, their kilometers and hours driven.
SELECT device_id, local_day, time_zone, first_ts, last_ts, trips, distance_m / 1000 AS kilometers,
       driving_s / 3600 AS driving_hours
FROM v_local_days
WHERE provider = {provider:String} AND local_day BETWEEN {from_day:Date} AND {to_day:Date}
ORDER BY device_id, local_day
