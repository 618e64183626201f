-- Which stops were the longest?
-- Parameters: from_day Date (first day), to_day Date (last day).
-- Comes out: stops with start, end, place and minutes, the longest first; joined over midnight.
SELECT device_id, min(s.start_ts) AS start_ts, max(s.end_ts) AS end_ts,
       argMin(s.latitude, s.start_ts) AS latitude, argMin(s.longitude, s.start_ts) AS longitude,
       sum(s.duration_s) / 60 AS minutes
FROM (SELECT *, countIf(NOT continues)
                OVER (PARTITION BY device_id ORDER BY start_ts, end_ts) AS stop
      FROM v_stops
      WHERE day BETWEEN {from_day:Date} AND {to_day:Date}) AS s
GROUP BY device_id, stop
ORDER BY minutes DESC, device_id, start_ts
LIMIT 1000
