-- Which devices have the most events for their distance?
-- Parameters: from_day Date (first day), to_day Date (last day), kilometers Float64
--   (kilometers).
-- Comes out: events, kilometers and events per 100 km, over all days together.
SELECT device_id, sum(events) AS total, sum(distance_m) / 1000 AS kilometers,
       100 * total / kilometers AS per_100_kilometers, sumMap(by_name) AS kinds
FROM v_event_rates
WHERE day BETWEEN {from_day:Date} AND {to_day:Date}
GROUP BY device_id
HAVING kilometers >= {kilometers:Float64}
ORDER BY per_100_kilometers DESC, device_id
