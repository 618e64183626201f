-- How many trips lead from zone to zone, and in which hours?
-- Parameters: from_day Date (first local day), to_day Date (last local day).
-- Comes out: a row for each pair of zones and hour of the local clock: trips, their kilometers; an
--   empty zone means all places outside of zones.
SELECT origin_zone, destination_zone, local_hour, sum(trips) AS trips,
       sum(distance_m) / 1000 AS kilometers
FROM v_od
WHERE local_day BETWEEN {from_day:Date} AND {to_day:Date}
GROUP BY origin_zone, destination_zone, local_hour
ORDER BY origin_zone, destination_zone, local_hour
