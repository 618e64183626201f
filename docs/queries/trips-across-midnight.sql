-- Which trips were made, with trips across midnight joined?
-- Parameters: provider String, from_day Date (first day), to_day Date (last day).
-- Comes out: trips that are whole within these days: start, end, kilometers.
SELECT device_id, min(start_ts) AS start_ts, max(end_ts) AS end_ts,
       sum(distance_m) / 1000 AS kilometers, count() AS pieces
FROM (SELECT *, countIf(NOT continues) OVER (PARTITION BY device_id ORDER BY start_ts) AS trip
      FROM v_trips
      WHERE provider = {provider:String} AND day BETWEEN {from_day:Date} AND {to_day:Date})
WHERE trip > 0
GROUP BY device_id, trip
ORDER BY device_id, start_ts
