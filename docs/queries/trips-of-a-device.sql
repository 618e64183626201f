-- Which trips did a device make?
-- Parameters: device String, from_day Date (first day), to_day Date (last day).
-- Comes out: its trips: start, end, kilometers, mean speed in km/h while moving.
SELECT start_ts, end_ts, distance_m / 1000 AS kilometers,
       distance_m / driving_s * 3.6 AS mean_speed_kmh, continues
FROM v_trips
WHERE device_id = {device:String} AND day BETWEEN {from_day:Date} AND {to_day:Date}
ORDER BY start_ts
