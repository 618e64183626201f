-- How long do devices stay in each zone on each day?
-- Parameters: from_day Date (first day, UTC), to_day Date (last day, UTC).
-- Comes out: a row for each zone and day: devices, visits that began, hours of all stays, hours of
--   the longest.
SELECT zone_id, name, day, devices, visits, dwell_s / 3600 AS hours,
       dwell_max_s / 3600 AS hours_longest
FROM v_dwell
WHERE day BETWEEN {from_day:Date} AND {to_day:Date}
ORDER BY zone_id, day
